import { type AppConfig, ConfigError } from '../../common/app-config.js';
import { ConnectionLost } from '../../database/away.js';
import { isSqlite, sqliteFile } from '../../database/data-source.js';
import { WrongSchema } from '../../database/schema-version.js';

/** Why this side could not be opened, in whole sentences that say what to do. Never the password of an address. */
export function whyClosed({ databaseUrl }: Pick<AppConfig, 'databaseUrl'>, error: unknown): string {
  const name = nameOf(databaseUrl);
  if (error instanceof WrongSchema) return `${name}: ${error.message}`;
  if (error instanceof ConfigError) return error.faults.join(' ');
  const { code, message } = (error instanceof ConnectionLost ? error.cause : error) as NodeJS.ErrnoException;
  return `${name} cannot be opened (${message || String(code)}). Is it the database of this service, and may it be written? DATABASE_URL and DATA_DIR name it.`;
}

function nameOf(url: string): string {
  if (isSqlite(url)) return `This side's database ${sqliteFile(url)}`;
  const { host, pathname } = new URL(url);
  return `This side's database ${pathname.slice(1)} at ${host}`;
}
