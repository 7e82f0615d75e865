import { startChild } from '../../test/support/child-process.js';
import type { DatabaseKind } from '../../test/support/databases.js';
import { makePlace } from '../../test/support/databases.js';
import { postgresReachable } from '../../test/support/services.js';
import { openTestDatabase } from '../../test/support/test-database.js';

describe.each<DatabaseKind>(['sqlite', 'postgres'])('several processes on one %s database', (kind) => {
  it('start at once and lose no write of each other', async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    const place = await makePlace(kind);
    const database = await openTestDatabase(kind, { place });
    await database.gate.write(async (tx) => {
      await tx.run('CREATE TABLE counters (name text PRIMARY KEY NOT NULL, value integer NOT NULL)');
      await tx.run(`INSERT INTO counters VALUES ('c', 0)`);
    });
    const children = [1, 2, 3].map(() =>
      startChild('database-child.ts', [place.databaseUrl, place.dataDir, 'add', '40']),
    );
    const names = await Promise.all(children.map((child) => child.firstLine));
    expect(new Set([database.presence.id, ...names]).size).toBe(4);
    expect(await Promise.all(children.map((child) => child.exit))).toEqual([0, 0, 0]);
    expect(await database.reader.one('SELECT value FROM counters')).toEqual({ value: 120 });
    await database.close();
  });

  it('know that a process is gone when it was killed, and not while it lives', async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    const database = await openTestDatabase(kind);
    const { place } = database;
    const { child, firstLine, exit } = startChild('database-child.ts', [
      place.databaseUrl,
      place.dataDir,
      'stay',
    ]);
    const name = await firstLine;
    expect(await database.presence.isGone(name)).toBe(false);
    expect(await database.presence.isGone(database.presence.id)).toBe(false);
    child.kill('SIGKILL');
    await exit;
    const deadline = performance.now() + 5_000;
    while (!(await database.presence.isGone(name)) && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await database.presence.isGone(name)).toBe(true);
    expect(await database.presence.isGone(database.presence.id)).toBe(false);
    await database.close();
  });

  it('take the place of a process that ended, and call its earlier holder gone', async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    const first = await openTestDatabase(kind);
    const earlier = first.presence.id;
    await first.close({ keep: true });
    const second = await openTestDatabase(kind, { place: first.place });
    expect(second.presence.id).not.toBe(earlier);
    expect(await second.presence.isGone(earlier)).toBe(true);
    expect(await second.presence.isGone('no such process')).toBe(true);
    await second.close();
  });
});
