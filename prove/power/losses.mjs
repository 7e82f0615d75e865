/**
 * The states of a disk after a power cut: which pending changes have landed. Each returns the files of one state, path
 * → { node, key, content() }; equal keys are equal contents, so that a folder need not be rewritten for each state.
 */
import { apply, applyName, Content, isFolder } from './disk.mjs';

const SECTOR = 512;

const all = () => true;
const none = () => false;

/** Returns part of a write: some of its sectors, the others unchanged (a hole if there was nothing). */
function torn(change, random) {
  if (!change.data || change.data.length <= SECTOR) return [change];
  const pieces = [];
  for (let from = 0; from < change.data.length; from += SECTOR) {
    if (random() < 0.5) continue;
    pieces.push({ offset: change.offset + from, data: change.data.subarray(from, from + SECTOR) });
  }
  return pieces;
}

/** The file has its new length already, but not the written data. */
const hole = (change) => (change.data ? [{ grow: change.offset + change.data.length }] : [change]);

/**
 * The kinds of loss: `names` and `bytes` decide if a pending change has landed, `partly` which part of a write has, and
 * `lost` the visible effect of one that has not.
 */
export const losses = {
  /** Loses everything unsynced: the worst case that POSIX allows, which reveals a forgotten sync. */
  everything: () => ({ names: none, bytes: none }),
  /** The state after a killed process. */
  nothing: () => ({ names: all, bytes: all }),
  /** Names without their content, of the length that it had. */
  content: () => ({ names: all, bytes: none, lost: hole }),
  /** Names and empty files, as ext4 used to leave them. */
  'content and length': () => ({ names: all, bytes: none }),
  names: () => ({ names: none, bytes: all }),
  /** Everything in order up to a moment; the last write torn. */
  'what came last': (random, disk) => {
    const until = lastMoments(disk, random);
    const before = (change) => change.at <= until;
    return {
      names: before,
      bytes: before,
      partly: (change) => (change.at === until ? torn(change, random) : [change]),
    };
  },
  /** Any subset, in any order, torn or not. */
  anything: (random) => {
    const share = [0.1, 0.5, 0.9][Math.floor(random() * 3)];
    const some = () => random() < share;
    return {
      names: some,
      bytes: some,
      partly: (change) => (random() < 0.3 ? torn(change, random) : [change]),
      lost: (change) => (random() < 0.3 ? hole(change) : []),
    };
  },
  /** Any subset of the bytes; names in order, as in a journal. */
  'bytes of any order': (random) => ({
    names: all,
    bytes: () => random() < 0.5,
    partly: (change) => (random() < 0.3 ? torn(change, random) : [change]),
    lost: (change) => (random() < 0.3 ? hole(change) : []),
  }),
};

function lastMoments(disk, random) {
  return disk.moment - Math.floor(random() ** 2 * 400);
}

let samples = 0;

/** Returns the files of one state of the disk after a loss of this kind. */
export function cutPower(disk, kind, random) {
  const loss = losses[kind](random, disk);
  const sample = ++samples;
  const files = new Map();
  const folders = new Map();
  const contents = new Map();
  const walk = (folder, path) => {
    if (!folders.has(folder)) folders.set(folder, namesAfter(folder, loss));
    for (const [name, node] of folders.get(folder)) {
      if (isFolder(node)) walk(node, `${path}${name}/`);
      else {
        if (!contents.has(node)) contents.set(node, contentAfter(node, loss, sample));
        files.set(`${path}${name}`, contents.get(node));
      }
    }
  };
  walk(disk.root, '');
  return files;
}

function namesAfter(folder, loss) {
  const names = new Map(folder.safe);
  for (const change of folder.pending) {
    change.landed =
      (change.after === undefined || change.after.safe || change.after.landed) && loss.names(change);
    if (change.landed) applyName(names, change);
  }
  return names;
}

function contentAfter(node, loss, sample) {
  const base = `${node.id}:${node.version}`;
  if (node.pending.length === 0) return { node, key: base, content: () => node.safe.bytes };
  const changes = node.pending.flatMap((change) =>
    loss.bytes(change) ? (loss.partly?.(change) ?? [change]) : (loss.lost?.(change) ?? []),
  );
  if (changes.length === 0) return { node, key: base, content: () => node.safe.bytes };
  const content = () => {
    const copy = node.safe.copy();
    for (const change of changes) {
      if (change.grow !== undefined) copy.resize(Math.max(copy.size, change.grow));
      else apply(copy, change);
    }
    return copy.bytes;
  };
  return { node, key: `${base}:${sample}`, content };
}

export { Content };
