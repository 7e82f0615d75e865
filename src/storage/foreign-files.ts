import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, opendir, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { isMissing } from './synced-files.js';

/** The first bytes of a file, and its size. */
interface FileHead {
  size: number;
  head: Buffer;
}

/** Reads the first bytes of a file of another program. Returns undefined if there is no such file. */
export async function headOf(path: string, bytes: number): Promise<FileHead | undefined> {
  const file = await openRegular(path).catch((error: NodeJS.ErrnoException) => {
    if (isMissing(error)) return undefined;
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

/** Reads a small file whole. Rejects if it does not exist or has more than `most` bytes. */
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

/** Opens a file for reading. Rejects a pipe, a device or a folder, without waiting for a writer. */
async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error('it is not a regular file; name one, or copy its content into one');
}

/** A file in a folder of another program. */
export interface ForeignFile {
  bytes: number;
  stream(): Readable;
}

/**
 * Returns the file below this folder, or undefined if there is none, it is no plain file, or a link leads out of the folder.
 * The caller makes sure that no part is `..` or contains a separator.
 */
export async function foreignFile(root: string, parts: readonly string[]): Promise<ForeignFile | undefined> {
  const within = await realpath(root);
  const path = await realpath(join(root, ...parts)).catch(() => undefined);
  if (path === undefined || !path.startsWith(within + sep)) return undefined;
  const found = await stat(path);
  return found.isFile() ? { bytes: found.size, stream: () => createReadStream(path) } : undefined;
}

/** Returns the names of the folders in a folder. Rejects if it cannot be read. */
export async function foreignFolders(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Yields every file below a folder, as the parts of its path from there. Links are not followed. */
export async function* filesBelow(root: string, parts: readonly string[] = []): AsyncGenerator<string[]> {
  for await (const entry of await opendir(join(root, ...parts))) {
    const path = [...parts, entry.name];
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else yield path;
  }
}
