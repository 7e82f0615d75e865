import { readFile, stat } from 'node:fs/promises';
import { SecretFault } from './secret-file.js';

/** The largest file; certificates and a key take some kilobytes. */
const LARGEST_BYTES = 1024 * 1024;

/** Reads the PKCS #12 file that signs reports. Throws `SecretFault`, which names the file. */
export async function signingFile(path: string): Promise<Buffer> {
  const found = await stat(path).catch((error: unknown) => unreadable(path, error));
  if (!found.isFile()) throw new SecretFault(path, 'is no file.');
  if (found.size > LARGEST_BYTES) throw new SecretFault(path, `is larger than ${LARGEST_BYTES} bytes.`);
  return readFile(path).catch((error: unknown) => unreadable(path, error));
}

function unreadable(path: string, error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  throw new SecretFault(path, code === 'ENOENT' ? 'is not there.' : `cannot be read (${String(code)}).`);
}
