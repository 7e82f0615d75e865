/**
 * A part of a value that was cut up so that no part takes long to build: large lists and objects are opened, filled piece
 * by piece, and closed.
 */
export type JsonPiece =
  | { open: 'list' | 'object'; name?: string }
  /** JSON of a list of the next elements, or of an object of the next members. */
  | { add: string }
  | { close: true };

type Container = readonly unknown[] | Readonly<Record<string, unknown>>;

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** Cuts a list or an object into pieces of at most `most` values each. */
export function piecesOf(value: unknown, most: number): JsonPiece[] {
  const pieces: JsonPiece[] = [];
  if (isContainer(value)) cut(value, undefined, { pieces, most });
  return pieces;
}

interface Cutting {
  pieces: JsonPiece[];
  most: number;
}

function cut(container: Container, name: string | undefined, cutting: Cutting): void {
  const { pieces, most } = cutting;
  const isList = Array.isArray(container);
  const keys = isList ? container.keys() : Object.keys(container);
  let batch: [string | number, unknown][] = [];
  let size = 0;
  const flush = () => {
    if (batch.length > 0) pieces.push({ add: textOf(batch, isList) });
    batch = [];
    size = 0;
  };
  pieces.push({ open: isList ? 'list' : 'object', ...(name === undefined ? {} : { name }) });
  for (const key of keys) {
    const member = (container as Readonly<Record<string | number, unknown>>)[key];
    const more = sizeUpTo(most, member);
    if (size + more > most) flush();
    if (more > most) cut(member as Container, String(key), cutting);
    else {
      batch.push([key, member]);
      size += more;
    }
  }
  flush();
  pieces.push({ close: true });
}

/** Returns how many values a value has, itself included; stops counting beyond `most`. */
function sizeUpTo(most: number, value: unknown): number {
  if (!isContainer(value)) return 1;
  let size = 1;
  const members = Array.isArray(value) ? value : Object.values(value);
  for (const member of members) {
    size += sizeUpTo(most - size, member);
    if (size > most) break;
  }
  return size;
}

/** Uses `fromEntries`, which makes `__proto__` an ordinary member. */
const textOf = (batch: readonly [string | number, unknown][], isList: boolean): string =>
  JSON.stringify(isList ? batch.map(([, member]) => member) : Object.fromEntries(batch));

type Open = unknown[] | Record<string, unknown>;

/** Joins pieces to a value; awaits `rest` after each piece. */
export async function joined(pieces: readonly JsonPiece[], rest: () => Promise<unknown>): Promise<unknown> {
  const open: Open[] = [];
  let last: Open | undefined;
  for (const piece of pieces) {
    const top = open.at(-1);
    if ('add' in piece) {
      addAll(top!, JSON.parse(piece.add) as Open);
      await rest();
    } else if ('open' in piece) {
      const made: Open = piece.open === 'list' ? [] : {};
      if (top) put(top, piece.name ?? '', made);
      open.push(made);
    } else last = open.pop();
  }
  return last;
}

function addAll(target: Open, more: Open): void {
  if (Array.isArray(more)) for (const value of more) put(target, '', value);
  else for (const [name, value] of Object.entries(more)) put(target, name, value);
}

function put(target: Open, name: string, value: unknown): void {
  if (Array.isArray(target)) target.push(value);
  else if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
