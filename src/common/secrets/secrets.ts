import { join } from 'node:path';
import { type AppConfig, ConfigError } from '../app-config.js';
import { makeLastingFolder } from '../lasting-folder.js';
import type { Logger } from '../logger.js';
import { openSecret, SecretFault } from './secret-file.js';
import { adminKey, credentialsKey, linkSecret, sealKey, type SecretKind } from './secret-kind.js';

interface Found {
  text: string;
  /** Undefined when a variable sets it. */
  path: string | undefined;
}

/**
 * The secrets of this service (contract sections 4 and 13): each is set by its variable, else stored in a file of
 * `SECRETS_DIR` that the first start creates. All are checked before anything is served.
 */
export class Secrets {
  private constructor(
    readonly adminKey: string,
    /** The file of the admin key; undefined when its variable is set. */
    readonly adminKeyFile: string | undefined,
    readonly linkSecret: string,
    /** PKCS #8, base64url. */
    readonly sealKey: string,
    /** 32 bytes. */
    readonly credentialsKey: Buffer,
    /** The files of secrets whose variable is not set, by variable. */
    private readonly files: ReadonlyMap<string, string>,
  ) {}

  /** Returns the variable of a secret, with its file when the variable is not set: for messages about it. */
  whereIs(variable: string): string {
    const file = this.files.get(variable);
    return file === undefined ? variable : `${variable} (${file})`;
  }

  /** Throws `ConfigError` with the fault of every broken secret. */
  static async open(config: AppConfig, logger: Logger): Promise<Secrets> {
    const faults: string[] = [];
    const find = async (kind: SecretKind): Promise<Found> => {
      try {
        return await found(kind, config, logger);
      } catch (error) {
        if (!(error instanceof SecretFault)) throw error;
        faults.push(error.message);
        return { text: '', path: undefined };
      }
    };
    const [admin, links, seal, credentials] = [
      await find(adminKey),
      await find(linkSecret),
      await find(sealKey),
      await find(credentialsKey),
    ];
    if (faults.length > 0) throw new ConfigError(faults);
    const opener = Buffer.from(credentials.text, 'base64url');
    const files = new Map<string, string>();
    for (const [{ variable }, { path }] of [
      [adminKey, admin],
      [linkSecret, links],
      [sealKey, seal],
      [credentialsKey, credentials],
    ] as const)
      if (path !== undefined) files.set(variable, path);
    return new Secrets(admin.text, admin.path, links.text, seal.text, opener, files);
  }
}

async function found(kind: SecretKind, config: AppConfig, logger: Logger): Promise<Found> {
  const given = config.givenSecrets.get(kind.variable);
  if (given !== undefined) return { text: given, path: undefined };
  const path = join(config.secretsDir, kind.file);
  await makeLastingFolder(config.secretsDir).catch((error: unknown) => {
    throw new SecretFault(path, `cannot be made (${String((error as NodeJS.ErrnoException).code)}).`);
  });
  const { text, exposed } = await openSecret(path, kind);
  if (exposed) logger.warn({ path }, 'users other than its owner may read this secret: chmod 600');
  return { text, path };
}
