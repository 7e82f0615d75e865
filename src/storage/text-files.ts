import { readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';

/** A text file of the operator: configuration, not a blob. */
export interface TextFile {
  /** The path, for messages to the operator. */
  path: string;
  /** Its name without the ending. */
  stem: string;
  text: string;
}

/** Reads the files with this ending (`.json`) directly in a directory, sorted by name. Rejects if there is no such directory. */
export async function textFilesIn(directory: string, ending: string): Promise<TextFile[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith(ending))
    .map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => {
      const path = join(directory, name);
      return { path, stem: name.slice(0, -ending.length), text: await textAt(path) };
    }),
  );
}

/** Reads a file in or below a directory. Rejects if it does not exist or its name leads out of the directory. */
export async function textFileIn(directory: string, name: string): Promise<string> {
  if (isAbsolute(name) || normalize(name).startsWith('..')) throw new Error(`${name} is not in ${directory}`);
  return textAt(join(directory, name));
}

/** Reads a text without the byte order mark, with which some editors begin a file. */
const textAt = async (path: string): Promise<string> => (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
