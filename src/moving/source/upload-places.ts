import { type ForeignFile, foreignFile, foreignFolders } from '../../storage/foreign-files.js';
import { WrongInput } from './move-source.js';

/** Returns the name under which the other side stores a file or folder, without characters that could lead elsewhere. */
export function foreignFileName(name: string): string {
  const plain = name
    .replace(/[/?<>\\:*|"\u0000-\u001f\u0080-\u009f]/g, '')
    .replace(/^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i, '')
    .replace(/[. ]+$/, '');
  return cutTo(plain, 255).replace(/^\.+/, '');
}

/** The other side's uploads: `[<organisation>/]<flow>/<chat>/<file name>`. */
export class UploadPlaces {
  private constructor(
    readonly root: string,
    private readonly above: readonly string[][],
  ) {}

  /** Throws `WrongInput` if the folder cannot be read. */
  static async in(root: string): Promise<UploadPlaces> {
    const folders = await foreignFolders(root).catch((error: NodeJS.ErrnoException) => {
      throw new WrongInput(
        `The folder ${root} of --storage cannot be read (${error.code ?? error.message}).`,
      );
    });
    return new UploadPlaces(root, [[], ...folders.map((name) => [name])]);
  }

  async find(flowId: string, chatId: string, name: string): Promise<ForeignFile | undefined> {
    const parts = [flowId, chatId, name].map(foreignFileName);
    if (parts.includes('')) return undefined;
    for (const above of this.above) {
      const file = await foreignFile(this.root, [...above, ...parts]);
      if (file) return file;
    }
    return undefined;
  }
}

function cutTo(text: string, bytes: number): string {
  let cut = text;
  while (Buffer.byteLength(cut) > bytes) cut = cut.slice(0, -1);
  return cut.toWellFormed();
}
