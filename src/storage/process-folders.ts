import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder for the temporary work of one process. */
export interface ProcessFolder {
  readonly path: string;
  /** Deletes it with its content. */
  remove(): Promise<void>;
}

/** Folders that hold nothing for good: each is named after its process, so that others can delete it once that is dead. */
export class ProcessFolders {
  constructor(private readonly root: string) {}

  async make(processId: string, name: string): Promise<ProcessFolder> {
    const path = join(this.root, `${Buffer.from(processId).toString('base64url')}.${name}`);
    await mkdir(path, { recursive: true });
    return { path, remove: () => remove(path) };
  }

  /** Deletes the folders for which `isOver` resolves to true. */
  async sweep(isOver: (processId: string, name: string) => Promise<boolean>): Promise<void> {
    for (const found of await readdir(this.root).catch(() => [])) {
      const [owner = '', name = ''] = found.split('.');
      if (await isOver(Buffer.from(owner, 'base64url').toString(), name))
        await remove(join(this.root, found));
    }
  }
}

/** Retries, because a worker may still write a file into the folder. */
const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
