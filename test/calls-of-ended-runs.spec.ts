import { DatabaseReader } from '../src/database/database-reader.js';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { ApprovalUpkeep } from '../src/executions/approvals/approval-upkeep.js';
import { Retention } from '../src/executions/upkeep/retention.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { startTestApp, type TestApp } from './support/app.js';
import { suiteDatabase } from './support/databases.js';
import { ServiceClient } from './support/service-client.js';

const WAITING = 3_000;

/** The waiting approvals of a large installation, each with its record; those of ended runs lie among them. */
const OTHERS = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${WAITING})
  INSERT INTO run_stops (id, flow_id, chat_id, execution_id, run_id, node_id, node_label, text, action, snapshot, request_key,
    asked_at, expires_at)
  SELECT stop.id || i, flow_id, chat_id, execution_id, run_id, node_id, node_label, text, action, snapshot, request_key,
    asked_at, expires_at FROM run_stops AS stop, n WHERE stop.id = ?`;

interface PlanNode {
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const within = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(within)];

/** Stored calls of runs that wait for approval (contract section 11, Approvals). */
describe('the stored calls of waiting runs', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp({ env: { EXECUTION_RETENTION_DAYS: '1' } });
  });

  afterAll(() => service.close());

  const ask = async () => {
    const flowId = await client.flow({
      name: 'Approval',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'ask', kind: 'human-input', config: { message: 'Order?' } },
      ],
      edges: [{ from: 'start', to: 'ask' }],
    });
    const { body } = await client.predict(flowId, { question: 'lamps' });
    return { id: body.executionId as string, stop: body.action.data.nodeId as string };
  };
  const reader = () => service.app.get(DatabaseReader);
  const round = () => service.app.get(ApprovalUpkeep).round();
  const storedCall = (execution: string) =>
    reader().one<{ requestKey: string | null; snapshot: string | null }>(
      'SELECT request_key AS "requestKey", snapshot FROM run_stops WHERE execution_id = ? ORDER BY id LIMIT 1',
      [execution],
    );

  it('are deleted with a record whose retention ends while it still waits', async () => {
    const { id } = await ask();
    const { requestKey } = (await storedCall(id))!;
    expect(await service.app.get(BlobStore).exists(requestKey!)).toBe(true);
    service.clock.advance(2 * 24 * 3_600_000);
    await service.app.get(Retention).sweep();
    await round();
    expect(await storedCall(id)).toBeUndefined();
    expect(await service.app.get(BlobStore).exists(requestKey!)).toBe(false);
  });

  it('are found without reading the thousands of waiting runs', async () => {
    const [waiting, over] = [await ask(), await ask()];
    await service.app.get(WriteGate).write((tx) => tx.run(OTHERS, [waiting.stop]));
    await client.admin('POST', `executions/${over.id}/cancel`);
    if (suiteDatabase === 'postgres')
      await service.app.get(WriteGate).write((tx) => tx.run('ANALYZE run_stops', []));
    const read = jest.spyOn(reader(), 'all');
    await round();
    const [sql, values] = read.mock.calls.find(([text]) => text.includes('request_key'))!;
    read.mockRestore();
    expect(await storedCall(over.id)).toEqual({ requestKey: null, snapshot: null });
    expect((await storedCall(waiting.id))!.requestKey).not.toBeNull();
    if (suiteDatabase === 'sqlite') {
      const steps = await reader().all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
      expect(steps[0]!.detail).toContain('run_stops_decided (id>?)');
      return;
    }
    const [plan] = await reader().all<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
      values,
    );
    const steps = within(plan!['QUERY PLAN'][0]!.Plan).filter(
      (node) => node['Relation Name'] === 'run_stops',
    );
    expect(steps.map((node) => node['Index Name'])).toEqual(['run_stops_decided']);
    const looked = steps.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
    expect(Math.max(...looked)).toBeLessThan(10);
  });
});
