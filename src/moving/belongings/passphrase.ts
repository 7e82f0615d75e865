import { createDecipheriv, createHash } from 'node:crypto';
import { isJsonObject } from '../../flows/engine/json.js';
import type { Members } from '../../flows/import/rows/members.js';
import { columnJson, columnText } from '../../flows/import/rows/row-values.js';
import { smallFile } from '../../storage/foreign-files.js';
import { WrongInput } from '../source/move-source.js';

const MOST_KEY_BYTES = 4096;
const MARK = 'Salted__';
const SALT_BYTES = 8;
const KEY_BYTES = 32;
const IV_BYTES = 16;

/**
 * Decrypts the secrets of a Flowise: AES-256-CBC with a key and an IV that OpenSSL's EVP_BytesToKey derives by MD5 from the
 * passphrase and the salt of each text. Only padding and JSON show whether the passphrase is right.
 */
export class Passphrase {
  /** Two texts if the file ends with a line break, which an editor may have added to the key. */
  private constructor(private readonly texts: readonly string[]) {}

  /** Reads the file, else takes the text of the environment; undefined without both. Throws `WrongInput`. */
  static async read(path: string | undefined, given: string | undefined): Promise<Passphrase | undefined> {
    if (path === undefined) return given === undefined ? undefined : new Passphrase([given]);
    const bytes = await smallFile(path, MOST_KEY_BYTES).catch((error: NodeJS.ErrnoException) => {
      throw new WrongInput(`The key ${path} cannot be read (${error.code ?? error.message}).`);
    });
    const text = bytes.toString('utf8');
    if (text.trim() === '') throw new WrongInput(`The key ${path} is empty.`);
    return new Passphrase([...new Set([text, text.replace(/\r?\n$/, '')])]);
  }

  /** Returns the decrypted object, or undefined if this passphrase does not open the text. */
  open(encrypted: string): Members | undefined {
    const bytes = Buffer.from(encrypted, 'base64');
    for (const text of this.texts) {
      const opened = columnJson(decrypted(bytes, text));
      if (opened !== 'broken' && isJsonObject(opened.value)) return opened.value;
    }
    return undefined;
  }
}

/** Returns true for a text that is encrypted by a passphrase. Other secret stores leave a name of theirs instead. */
export const isEncrypted = (text: unknown): boolean =>
  Buffer.from(columnText(text) ?? '', 'base64').toString('latin1', 0, MARK.length) === MARK;

function decrypted(bytes: Buffer, passphrase: string): Buffer | undefined {
  const salt = bytes.subarray(MARK.length, MARK.length + SALT_BYTES);
  const made = derived(Buffer.from(passphrase, 'utf8'), salt);
  const decipher = createDecipheriv('aes-256-cbc', made.subarray(0, KEY_BYTES), made.subarray(KEY_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(MARK.length + SALT_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function derived(passphrase: Buffer, salt: Buffer): Buffer {
  let made = Buffer.alloc(0);
  for (let last = made; made.length < KEY_BYTES + IV_BYTES; made = Buffer.concat([made, last]))
    last = createHash('md5')
      .update(Buffer.concat([last, passphrase, salt]))
      .digest();
  return made;
}
