import { dirname } from 'node:path';
import { type AppConfig, ConfigError } from './common/app-config.js';
import { makeWritableFolder } from './common/lasting-folder.js';
import { ConnectionLost, isAway } from './database/away.js';
import { isSqlite, serverDatabase, sqliteFile } from './database/open/data-source.js';

/**
 * Makes the folder of an SQLite database, or throws `ConfigError` where it cannot be made or written. `migrate` makes it
 * durable.
 */
export async function requireDatabaseFolder({ databaseUrl, dataDir }: AppConfig): Promise<void> {
  if (!isSqlite(databaseUrl)) return;
  const folder = dirname(sqliteFile(databaseUrl));
  const variable = folder === dataDir ? 'DATA_DIR' : 'DATABASE_URL';
  await makeWritableFolder(folder).catch((error: unknown) => {
    throw new ConfigError([
      `${variable}: files cannot be written in ${folder} (${reasonOf(error)}). Give the user who runs the service the right to write there, or name another folder.`,
    ]);
  });
}

/**
 * Returns a fault where the file of the database cannot be used, or where its server is unreachable, refuses the login, or
 * has no such database.
 */
export function databaseFault(config: AppConfig, error: unknown): ConfigError | undefined {
  const { databaseUrl } = config;
  if (isSqlite(databaseUrl)) return fileFault(config, error);
  if (!isAway(error)) return undefined;
  const { code, message } = (error instanceof ConnectionLost ? error.cause : error) as NodeJS.ErrnoException;
  const reason = message || String(code);
  return new ConfigError([
    `DATABASE_URL: the database ${serverDatabase(databaseUrl)} cannot be opened (${reason}). Is it running, and are its address, user and password right?`,
  ]);
}

/** Codes of SQLite that concern its file, not a statement. */
const FILE_CODES = /^SQLITE_(CANTOPEN|NOTADB|CORRUPT|READONLY|PERM|AUTH|FULL|IOERR|BUSY|LOCKED)$/;

function fileFault({ databaseUrl }: AppConfig, error: unknown): ConfigError | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!FILE_CODES.test(code)) return undefined;
  const remedy = /NOTADB|CORRUPT/.test(code)
    ? 'Restore it from a backup'
    : 'Give the user who runs the service the right to write it, and its disk space';
  return new ConfigError([
    `DATABASE_URL: the database ${sqliteFile(databaseUrl)} cannot be opened (${message}). ${remedy}, or name another file.`,
  ]);
}

/** Returns a fault that names the address on which the service cannot listen, and the remedy. */
export function listenFault({ host, port }: AppConfig, error: unknown): ConfigError {
  const reason = reasonOf(error);
  const remedy = remedies[reason] ?? 'Choose others';
  return new ConfigError([`HOST and PORT: cannot listen on ${host}:${port} (${reason}). ${remedy}.`]);
}

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program uses this port: stop it, or set PORT to another number',
  EACCES: 'Only root may use this port: set PORT to a number from 1024',
  EADDRNOTAVAIL:
    'This machine has no such address: set HOST to one that it has, such as 127.0.0.1 or 0.0.0.0',
  ENOTFOUND: 'No such host is known: set HOST to an address of this machine, such as 127.0.0.1 or 0.0.0.0',
};

const reasonOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? String((error as Error).message);
