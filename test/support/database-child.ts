import 'reflect-metadata';
import { openTestDatabase } from './test-database.js';

/**
 * Another process on a database, for tests. `add <times>` increments `counters.value` that many times, each in one
 * transaction that reads and writes it. `stay` joins, prints its name and lives until it is killed. `hold` prints its
 * name within a transaction that it never ends.
 */
async function main([databaseUrl, dataDir, task, times]: string[]): Promise<void> {
  const place = { databaseUrl: databaseUrl!, dataDir: dataDir!, remove: async () => undefined };
  const database = await openTestDatabase('sqlite', { place });
  if (task === 'hold') {
    await database.gate.write(async (tx) => {
      await tx.run(`UPDATE counters SET value = -1 WHERE name = 'c'`);
      process.stdout.write(`${database.presence.id}\n`);
      await new Promise(() => undefined);
    });
  }
  process.stdout.write(`${database.presence.id}\n`);
  if (task === 'stay') {
    setInterval(() => undefined, 1000);
    return;
  }
  const additions = Array.from({ length: Number(times) }, () =>
    database.gate.write(async (tx) => {
      const row = await tx.one<{ value: number }>(`SELECT value FROM counters WHERE name = 'c'`);
      await tx.run(`UPDATE counters SET value = ? WHERE name = 'c'`, [row!.value + 1]);
    }),
  );
  await Promise.all(additions);
  await database.close({ keep: true });
}

main(process.argv.slice(1)).catch((error: unknown) => {
  process.stderr.write(`${String((error as Error).stack)}\n`);
  process.exit(1);
});
