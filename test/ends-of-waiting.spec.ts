import { DatabaseReader } from '../src/database/database-reader.js';
import { ApprovalUpkeep } from '../src/executions/approvals/approval-upkeep.js';
import { ExecutionLog } from '../src/executions/log/execution-log.js';
import { startTestApp, type TestApp } from './support/app.js';
import { suiteDatabase } from './support/databases.js';
import { ServiceClient } from './support/service-client.js';

/** More than one batch of the upkeep. */
const RUNS = 102;

/** Runs that wait for approval and end without a click (contract section 11, Approvals). */
describe('runs that wait for approval', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);
  const stuck = new Set<string>();

  beforeAll(async () => {
    service = await startTestApp();
    await client.admin('POST', 'credit/default/top-ups', { amount: 1_000, reference: 'tests' });
    service.app.get(ExecutionLog).onSettled(async (_tx, { id }) => {
      if (stuck.has(id)) throw new Error('no refund');
    });
  });

  afterAll(() => service.close());

  const approval = () =>
    client.flow({
      name: 'Approval',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'ask', kind: 'human-input', config: { message: 'Order?' } },
      ],
      edges: [{ from: 'start', to: 'ask' }],
    });
  const ask = async (flowId: string): Promise<string> =>
    (await client.predict(flowId, { question: 'lamps' })).body.executionId as string;
  const round = () => service.app.get(ApprovalUpkeep).round();
  const statuses = async (flowId: string) => {
    const sql = 'SELECT id, status, code FROM executions WHERE flow_id = ?';
    type Row = Record<'id' | 'status' | 'code', string | null>;
    const rows = await service.app.get(DatabaseReader).all<Row>(sql, [flowId]);
    return new Map(rows.map(({ id, status, code }) => [id!, `${status} ${code}`]));
  };

  it.each([
    ['flow_deleted', 'id', (flowId: string) => client.admin('DELETE', `flows/${flowId}`)],
    ['approval_expired', 'expires_at, id', async () => service.clock.advance(8 * 24 * 3_600_000)],
  ])(
    'end as %s though many before them cannot be ended, and the later ones too',
    async (code, order, over) => {
      const flowId = await approval();
      const runs: string[] = [];
      for (let n = 0; n < RUNS; n++) runs.push(await ask(flowId));
      const sql = `SELECT execution_id AS "id" FROM run_stops WHERE flow_id = ? ORDER BY ${order}`;
      const found = await service.app.get(DatabaseReader).all<{ id: string }>(sql, [flowId]);
      const [free, ...others] = found.map(({ id }) => id).reverse();
      for (const id of others) stuck.add(id);
      await over(flowId);
      await round();
      await round();
      const now = await statuses(flowId);
      expect(now.get(free!)).toBe(`failed ${code}`);
      expect(new Set(others.map((id) => now.get(id)))).toEqual(new Set(['waiting null']));
      stuck.clear();
      await round();
      await round();
      const then = await statuses(flowId);
      expect(new Set(runs.map((id) => then.get(id)))).toEqual(new Set([`failed ${code}`]));
    },
  );

  const byIndexes = async () => {
    await ask(await approval());
    const reader = service.app.get(DatabaseReader);
    const read = jest.spyOn(reader, 'all');
    await round();
    const queries = read.mock.calls.filter(([sql]) => sql.includes('run_stops'));
    read.mockRestore();
    const plans = await Promise.all(
      queries.map(([sql, values]) => reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values)),
    );
    const steps = plans.flat().map(({ detail }) => detail);
    expect(steps.filter((step) => step.startsWith('SCAN run_stops'))).toEqual([]);
    expect(steps).toContainEqual(expect.stringContaining('run_stops_asking (flow_id>?)'));
  };
  // PostgreSQL reads so few rows without an index in any case, so its plan shows nothing.
  if (suiteDatabase === 'sqlite') it('are looked up by indexes alone', byIndexes);
});
