import { startTestApp, TEST_ADMIN_KEY } from './support/app.js';
import { startChild } from './support/child-process.js';
import { databases, makePlace } from './support/databases.js';
import { eventually } from './support/eventually.js';
import { type HeldTarget, startHeldTarget } from './support/held-target.js';
import {
  allFiles,
  allRows,
  endedCases,
  inspecting,
  photographed,
  REAL,
  rehearsed,
  startCases,
} from './support/rehearsed-cases.js';
import { ServiceClient } from './support/service-client.js';

describe.each(databases)('a case with live calls, on %s', (database) => {
  let target: HeldTarget;

  beforeAll(async () => {
    target = await startHeldTarget();
  });
  afterAll(() => target.close());

  it('is deleted after its process was killed', async () => {
    const env = { OUTBOUND_ALLOW: target.host, SMTP_URL: 'smtp://127.0.0.1:9' };
    const place = await makePlace(database, { migrated: true });
    const { child, firstLine, exit } = startChild('service-child.ts', [
      ...[place.dataDir, place.databaseUrl, JSON.stringify(env)],
    ]);
    let killed: { url: string; adminKey: string } = { url: await firstLine, adminKey: TEST_ADMIN_KEY };
    const other = new ServiceClient(() => killed);
    const flow = await other.flow(inspecting(target.host));
    const input = await photographed('Killed', REAL);
    await other.admin('POST', `flows/${flow}/cases`, { name: 'Killed', input });
    target.holds = true;
    const run = await startCases(other, flow);
    await eventually(() => target.asked.length === 1);
    expect(rehearsed(place).some((name) => name.endsWith('.pdf'))).toBe(true);
    child.kill('SIGKILL');
    await exit;
    const next = await startTestApp({ place, env });
    killed = next;
    await eventually(() => rehearsed(place).length === 0);
    expect(await endedCases(other, run)).toEqual([]);
    const rows = await allRows(next);
    for (const table of [
      'inspection_sessions',
      'photographs',
      'claims',
      'reports',
      'report_mails',
      'effects',
    ])
      expect([table, rows[table]]).toEqual([table, '']);
    const blobs = allFiles(next).filter((name) => /^blobs.[a-z]+.[0-9a-f]{2}.[0-9a-f-]{36}/.test(name));
    expect(blobs.filter((name) => !/^blobs.cases/.test(name))).toEqual([]);
    await next.close();
  });

  it('is deleted by a service that stops in the middle', async () => {
    const env = { OUTBOUND_ALLOW: target.host, SMTP_URL: 'smtp://127.0.0.1:9' };
    const service = await startTestApp({ database, env });
    const client = new ServiceClient(() => service);
    const flow = await client.flow(inspecting(target.host));
    const input = await photographed('Stopped', REAL);
    await client.admin('POST', `flows/${flow}/cases`, { name: 'Stopped', input });
    target.holds = true;
    target.asked.length = 0;
    await startCases(client, flow);
    await eventually(() => target.asked.length === 1);
    await service.close({ keep: true });
    expect(rehearsed(service.place)).toEqual([]);
    await service.place.remove();
  });
});
