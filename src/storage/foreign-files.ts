import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, opendir, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Readable } from 'node:stream';

/** The beginning of a file, and how many bytes it has. */
export interface FileHead {
  size: number;
  head: Buffer;
}

/** The first bytes of a file of another program, which is only read. Undefined where there is no such file. */
export async function headOf(path: string, bytes: number): Promise<FileHead | undefined> {
  const file = await openRegular(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return { size, head: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
}

/** The whole of a file that must be small. Rejects where it is not there, or has more bytes. */
export async function smallFile(path: string, most: number): Promise<Buffer> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    if (size > most) throw new Error(`it has ${size} bytes, and must have at most ${most}`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Opens a file to read. Rejects, without waiting for a writer, where the path names a pipe, a device or a folder. */
async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error('it is no regular file; name one, or copy what it brings into one');
}

/** A file in a folder of another program. */
export interface ForeignFile {
  bytes: number;
  stream(): Readable;
}

/**
 * The file below this folder; undefined where there is none, it is no plain file, or a link leads out of the folder. No
 * part may name another folder by itself: that is the caller's to see to.
 */
export async function foreignFile(root: string, parts: readonly string[]): Promise<ForeignFile | undefined> {
  const within = await realpath(root);
  const path = await realpath(join(root, ...parts)).catch(() => undefined);
  if (path === undefined || !path.startsWith(within + sep)) return undefined;
  const found = await stat(path);
  return found.isFile() ? { bytes: found.size, stream: () => createReadStream(path) } : undefined;
}

/** The names of the folders in a folder. Rejects where it cannot be read. */
export async function foreignFolders(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Every file below a folder, by the parts of its path from there; links are not followed. */
export async function* filesBelow(root: string, parts: readonly string[] = []): AsyncGenerator<string[]> {
  for await (const entry of await opendir(join(root, ...parts))) {
    const path = [...parts, entry.name];
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else yield path;
  }
}
