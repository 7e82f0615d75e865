import { readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';

/** A text file that an operator put somewhere: configuration, not a blob. */
export interface TextFile {
  /** Where it stands, for messages to the operator. */
  path: string;
  /** Its name without the ending. */
  stem: string;
  text: string;
}

/** The files with this ending (`.json`) directly in a directory, by name. Rejects when there is no such directory. */
export async function textFilesIn(directory: string, ending: string): Promise<TextFile[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith(ending))
    .map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => {
      const path = join(directory, name);
      return { path, stem: name.slice(0, -ending.length), text: await readFile(path, 'utf8') };
    }),
  );
}

/** The text of a file in a directory or in a folder of it. Rejects when it is not there, or is named to be elsewhere. */
export async function textFileIn(directory: string, name: string): Promise<string> {
  if (isAbsolute(name) || normalize(name).startsWith('..')) throw new Error(`${name} is not in ${directory}`);
  return readFile(join(directory, name), 'utf8');
}
