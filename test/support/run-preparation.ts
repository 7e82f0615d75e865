import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/database/open/migrate.js';
import { administer, databases, urlOf } from './databases.js';
import { postgresReachable } from './services.js';

const made: (() => unknown)[] = [];

/** Migrates one database of each kind, which suites copy instead of migrating their own. */
export async function prepareRun(): Promise<void> {
  if (databases.includes('sqlite')) {
    const folder = mkdtempSync(join(tmpdir(), 'service-template-'));
    made.push(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'service.sqlite');
    await migrate(`sqlite:${file}`);
    process.env['TEST_SQLITE_TEMPLATE'] = file;
  }
  if (databases.includes('postgres') && (await postgresReachable())) {
    const name = `service_template_${process.pid}`;
    await administer(`CREATE DATABASE ${name}`);
    made.push(() => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    await migrate(urlOf(name));
    process.env['TEST_POSTGRES_TEMPLATE'] = name;
  }
}

/** Deletes the templates of this run. */
export async function endRun(): Promise<void> {
  for (const remove of made.splice(0)) await remove();
}
