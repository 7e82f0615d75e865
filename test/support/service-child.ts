import { startTestApp } from './app.js';
import type { DatabaseKind } from './databases.js';

/** Runs the whole service in its own process, on an existing place; prints its address when it is ready. */
async function main([dataDir, databaseUrl, env]: string[]): Promise<void> {
  const place = { dataDir: dataDir!, databaseUrl: databaseUrl!, remove: async () => undefined };
  const database: DatabaseKind = databaseUrl!.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  const app = await startTestApp({ place, database, env: JSON.parse(env ?? '{}') as Record<string, string> });
  process.stdout.write(`${app.url}\n`);
}

main(process.argv.slice(1)).catch((error: unknown) => {
  process.stderr.write(`${String((error as Error).stack)}\n`);
  process.exit(1);
});
