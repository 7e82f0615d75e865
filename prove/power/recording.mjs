/** Runs the service under the recorder (`recorder.c`, preloaded) and reads its records. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from '../support/service.mjs';
import { layout } from './layout.mjs';

const KINDS = [
  ...['', 'open', 'write', 'truncate', 'syncBegun', 'synced', 'rename', 'link', 'unlink', 'mkdir', 'rmdir'],
  ...['answer', 'unknown'],
];
const HEAD = 32;

/** Compiles the recorder with the compiler that the SQLite driver needs too. Undefined without one. */
export function compileRecorder(directory) {
  const source = join(dirname(fileURLToPath(import.meta.url)), 'recorder.c');
  const library = join(directory, 'recorder.so');
  const flags = ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl', '-pthread'];
  for (const compiler of [process.env.CC, 'cc', 'gcc'].filter(Boolean)) {
    const { status, stderr } = spawnSync(compiler, flags, { encoding: 'utf8' });
    if (status === 0) return library;
    if (status !== null) throw new Error(`the recorder does not compile:\n${stderr}`);
  }
  return undefined;
}

/** A place whose service is recorded: `start` begins a life of it, `crash` ends one between two records. */
export class Recording {
  /** `root` exists before the first life; the service makes its data directory in it. */
  constructor(library, directory) {
    this.library = library;
    this.directory = directory;
    this.root = join(directory, 'disk');
    this.lives = [];
    mkdirSync(this.root);
    this.place = { ...layout(this.root), workingDirectory: directory };
  }

  async start(env = {}) {
    const life = this.lives.length;
    const log = join(this.directory, `life-${life}.log`);
    const end = join(this.directory, `life-${life}.end`);
    if (spawnSync('mkfifo', [end]).status !== 0) throw new Error('mkfifo is missing');
    this.lives.push(log);
    const recorder = { LD_PRELOAD: this.library, POWER_LOG: log, POWER_ROOT: this.root, POWER_END: end };
    const service = await startService(this.place, {
      ADMIN_API_KEY: '',
      UV_USE_IO_URING: '0',
      ...this.place.storage,
      ...recorder,
      ...env,
    });
    service.crash = async () => {
      writeFileSync(end, 'x');
      await service.ended;
      await othersGone(log);
    };
    return service;
  }

  /** Returns every record of every life, in order. Paths are below the root; data is a view of the log. */
  records() {
    const records = this.lives.flatMap((log, life) => readLog(readFileSync(log), this.root, life));
    const unknown = records.find(({ kind }) => kind === 'unknown');
    if (unknown) throw new Error(`the recorder cannot follow this: ${unknown.path ?? unknown.text}`);
    return records;
  }
}

/** Child processes of the service end a moment after it. */
async function othersGone(log) {
  const isRecorded = (pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`POWER_LOG=${log}`);
    } catch {
      return false;
    }
  };
  for (;;) {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    if (!pids.some(isRecorded)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function readLog(bytes, root, life) {
  const records = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32LE(at);
    const kind = KINDS[bytes.readUInt32LE(at + 4)];
    const firstLength = bytes.readUInt32LE(at + 24);
    const first = bytes.subarray(at + HEAD, at + HEAD + firstLength);
    const second = bytes.subarray(at + HEAD + firstLength, at + length);
    const record = {
      kind,
      life,
      inode: bytes.readBigUInt64LE(at + 8),
      number: Number(bytes.readBigUInt64LE(at + 16)),
    };
    if (kind === 'write') record.data = first;
    else if (kind === 'answer') record.status = Number(first.toString('latin1').slice(9, 12));
    else Object.assign(record, { path: below(first, root), to: below(second, root), text: first.toString() });
    records.push(record);
    at += length;
  }
  return records;
}

/** Returns '' for the root itself; undefined for a path outside of it. */
function below(bytes, root) {
  const path = bytes.toString();
  return path.startsWith(root) ? path.slice(root.length + 1) : undefined;
}
