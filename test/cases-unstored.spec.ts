import { LateWrites } from '../src/database/writes/late-writes.js';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { startTestApp, type TestApp } from './support/app.js';
import { databases } from './support/databases.js';
import { eventually } from './support/eventually.js';
import { type HeldTarget, startHeldTarget } from './support/held-target.js';
import { endedCases, startCases } from './support/rehearsed-cases.js';
import { ServiceClient } from './support/service-client.js';

const PRICE = 7;

describe.each(databases)('a run of cases whose results cannot be stored for a while, on %s', (database) => {
  let service: TestApp;
  let target: HeldTarget;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    target = await startHeldTarget();
    service = await startTestApp({ database, env: { OUTBOUND_ALLOW: target.host } });
  });
  afterAll(async () => {
    await service.close();
    target.close();
  });

  const balance = async () => (await client.admin('GET', 'credit/default')).body.balance as number;
  const statement = (sql: string) => service.app.get(WriteGate).write((tx) => tx.run(sql));

  it('ends once they can be, refunds what was under way and leaves room for others', async () => {
    const flow = await client.flow({
      ...{ name: 'Asks', price: PRICE },
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'get', kind: 'http', config: { url: `http://${target.host}/{{question}}` } },
        { id: 'reply', kind: 'reply', config: { message: 'Asked' } },
      ],
      edges: [
        { from: 'start', to: 'get' },
        { from: 'get', to: 'reply' },
      ],
    });
    await client.admin('POST', `flows/${flow}/cases`, { name: 'One', input: { question: 'One' } });
    const before = await balance();
    // More than a flow may have under way at once.
    for (let times = 1; times <= 3; times++) {
      target.holds = true;
      const run = await startCases(client, flow);
      await eventually(() => target.asked.length === times);
      expect(before - (await balance())).toBe(PRICE);
      await statement('ALTER TABLE case_results RENAME TO case_results_away');
      target.letGo();
      await eventually(() => service.app.get(LateWrites).queueLength === 1);
      await statement('ALTER TABLE case_results_away RENAME TO case_results');
      expect(await endedCases(client, run)).toEqual([]);
      expect((await client.admin('GET', run)).body).toMatchObject({
        ...{ status: 'interrupted', total: 1, done: 0 },
        error: 'The service could not store the results. Run the cases again.',
      });
      expect(await balance()).toBe(before);
    }
  });
});
