import { randomUUID } from 'node:crypto';
import { link, lstat, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../lasting-folder.js';
import { type SecretKind, secretText } from './secret-kind.js';

/** A secret cannot be used; the message names its file and says what to do. */
export class SecretFault extends Error {
  constructor(path: string, reason: string) {
    super(`${path} ${reason}`);
    this.name = 'SecretFault';
  }
}

interface StoredSecret {
  text: string;
  /** The file may be read by others than its owner. */
  exposed: boolean;
}

/** Attempts to create a secret. An attempt fails only if another process created it first. */
const MOST_TRIES = 5;

const LARGEST_BYTES = 4096;

/**
 * Reads a secret from a file of an existing directory, or creates it. Of several starts at once the first one creates it,
 * completely or not at all (contract section 4). The returned secret survives a power cut. Throws `SecretFault`. `token`
 * names the draft file.
 */
export async function openSecret(
  path: string,
  kind: SecretKind,
  token: string = randomUUID(),
): Promise<StoredSecret> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const found = await readSecret(path, kind);
    if (found) {
      await settle(path);
      return found;
    }
    await writeOnce(path, `${kind.fresh()}\n`, token);
  }
  throw new SecretFault(path, 'cannot be made: it disappears each time that it is written.');
}

async function readSecret(path: string, kind: SecretKind): Promise<StoredSecret | undefined> {
  const found = await stat(path).catch((error: unknown) => missing(path, error));
  if (!found) return undefined;
  if (!found.isFile())
    throw new SecretFault(path, 'is not a file. Put the secret there as a file, or remove it.');
  if (found.size > LARGEST_BYTES) throw broken(path, kind, `is larger than ${LARGEST_BYTES} bytes`);
  const content = await readFile(path, 'utf8').catch((error: unknown) => missing(path, error));
  if (content === undefined) return undefined;
  const text = secretText(content);
  const fault = kind.faultOf(text);
  if (fault !== undefined) throw broken(path, kind, fault);
  return { text, exposed: (found.mode & 0o077) !== 0 };
}

/** Returns undefined when there is nothing at this path. Throws for a dangling link, since no file can be created there. */
async function missing(path: string, error: unknown): Promise<undefined> {
  if (codeOf(error) !== 'ENOENT')
    throw new SecretFault(
      path,
      `cannot be read (${codeOf(error)}). Let the user who runs the service read it.`,
    );
  const itself = await lstat(path).catch(() => undefined);
  if (itself?.isSymbolicLink()) {
    throw new SecretFault(
      path,
      'is a symbolic link whose target is missing. Put the target back, or remove the link.',
    );
  }
  return undefined;
}

/** Writes a draft and links it to its name, so that readers find all of it or nothing, and nothing is overwritten. */
async function writeOnce(path: string, text: string, token: string): Promise<void> {
  const draft = join(dirname(path), draftName(path, token));
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path);
  } catch (error) {
    // Another start was first, and may have deleted this draft already.
    if (!['EEXIST', 'ENOENT'].includes(codeOf(error))) {
      throw new SecretFault(
        path,
        `cannot be made (${codeOf(error)}). Free disk space or give rights, or set its variable.`,
      );
    }
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Makes the name of a secret durable before it is used, and deletes drafts of starts that died. */
async function settle(path: string): Promise<void> {
  const directory = dirname(path);
  await syncFolder(directory).catch((error: unknown) => {
    // A read-only directory has only durable names.
    if (!['EACCES', 'EINVAL', 'EPERM', 'EROFS'].includes(codeOf(error))) {
      throw new SecretFault(path, `cannot be made durable (${codeOf(error)}).`);
    }
  });
  for (const name of await readdir(directory).catch(() => [])) {
    if (isDraft(name, path)) await rm(join(directory, name), { force: true }).catch(() => undefined);
  }
}

const draftName = (path: string, token: string): string => `.${basename(path)}.${token}.new`;

const isDraft = (name: string, path: string): boolean =>
  name.startsWith(`.${basename(path)}.`) && name.endsWith('.new');

const broken = (path: string, kind: SecretKind, fault: string): SecretFault =>
  new SecretFault(
    path,
    `${fault}. Put it back from a backup; or remove it, and a new one is made: ${kind.lost}.`,
  );

const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? String((error as Error).message);
