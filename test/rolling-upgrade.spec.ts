import { startTestApp, type TestApp } from './support/app.js';
import { type DatabaseKind, databases } from './support/databases.js';
import { echoFlow } from './support/flows.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';
import { postgresReachable } from './support/services.js';
import { openTestDatabase, type TestDatabase } from './support/test-database.js';

const TABLES: Record<DatabaseKind, string> = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' AND name <> 'migrations'`,
  postgres: `SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'migrations'`,
};

/** The changes that a newer version may make to a database within one version: it only adds. */
async function upgrade({ gate, reader }: TestDatabase, kind: DatabaseKind): Promise<void> {
  const tables = await reader.all<{ name: string }>(TABLES[kind]);
  expect(tables.length).toBeGreaterThan(20);
  await gate.write(async (tx) => {
    for (const { name } of tables)
      await tx.run(`ALTER TABLE ${name} ADD COLUMN of_the_future text NOT NULL DEFAULT 'later'`);
    await tx.run('CREATE TABLE the_future (id text PRIMARY KEY NOT NULL)');
    await tx.run(
      `INSERT INTO migrations (timestamp, name) VALUES (9900000000000, 'FromTheFuture9900000000000')`,
    );
  });
}

describe.each(databases)('a service on %s beside a newer version', (kind) => {
  it('continues after that one has migrated the database', async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    const app: TestApp = await startTestApp({ database: kind });
    const database = await openTestDatabase(kind, { place: app.place });
    const client = new ServiceClient(() => app);
    const flow = await client.flow(echoFlow());
    const photographs = [{ data: (await smallJpeg()).toString('base64'), mime: 'image/jpeg' }];
    const post = (path: string, body: object) => client.send('POST', `/api/v1/${path}`, body);

    /** Makes the same calls each time, in a session of its own. */
    async function everything(sessionId: string): Promise<Answer[]> {
      const source = { type: 'inspection', flowId: flow, sessionId, meta: {} };
      const answers = [
        await client.predict(flow, { question: 'Hi', chatId: sessionId }, { 'idempotency-key': sessionId }),
        await client.predict(flow, { question: 'Hi', chatId: sessionId }, { 'idempotency-key': sessionId }),
        await post('inspection/capture', { flowId: flow, sessionId, area: 'Kitchen', photographs }),
        await post('pdf/render', { templateId: 'inspection', source }),
      ];
      const report = answers.at(-1)!.body.file.id as string;
      answers.push(await client.admin('POST', `pdf/reports/${report}/redraw`));
      for (const list of [
        'flows',
        'executions',
        'pdf/reports',
        'inspection/sessions',
        'credentials',
        'api-keys',
      ])
        answers.push(await client.admin('GET', list));
      answers.push(await client.send('GET', '/health/ready'));
      return answers;
    }

    const before = [await everything('one'), await everything('two')];
    await upgrade(database, kind);
    const after = [await everything('three'), await everything('four')];
    const outcomes = (answers: Answer[]) => answers.map(({ status, body }) => [status, body.code]);
    expect(outcomes(before[0]!).every(([status]) => status === 200)).toBe(true);
    for (const answers of after) expect(outcomes(answers)).toEqual(outcomes(before[0]!));
    await database.close({ keep: true });
    await app.close();
  });
});
