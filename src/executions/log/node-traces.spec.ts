import { databases } from '../../../test/support/databases.js';
import { eventually } from '../../../test/support/eventually.js';
import { fixtureOn } from '../../../test/support/fixture-on.js';
import {
  draftOf,
  freshChat,
  nodeRun,
  openTestExecutions,
  succeededAt,
} from '../../../test/support/test-executions.js';
import type { ExecutionTrace } from './node-traces.js';

describe.each(databases)('traces in the execution log on %s', (kind) => {
  const { rule } = fixtureOn(kind, () => openTestExecutions(kind));

  rule(
    'keeps node runs in the order of their start and replaces a run by its later state',
    async (fixture) => {
      const { log, gate, clock, archive } = fixture;
      const draft = draftOf(clock.now(), freshChat());
      await gate.write((tx) => log.open(tx, draft));
      const trace = log.trace(draft.id);
      trace.node(nodeRun('b', { startedAt: 2_000 }));
      trace.node(nodeRun('c', { startedAt: 2_000 }));
      trace.node(nodeRun('a', { startedAt: 1_000 }));
      await log.flush();
      trace.node(nodeRun('b', { startedAt: 2_000, status: 'succeeded', durationMs: 3, output: 'done' }));
      trace.node(nodeRun('c', { startedAt: 2_000, status: 'succeeded' }));
      trace.node(nodeRun('c', { startedAt: 2_000, status: 'failed', parent: 'b' }));
      const { nodes } = await archive.get(draft.id);
      expect(nodes.map(({ runId, status }) => [runId, status])).toEqual([
        ['a', 'running'],
        ['b', 'succeeded'],
        ['c', 'failed'],
      ]);
      expect(nodes[1]).toMatchObject({ output: 'done', durationMs: 3 });
      expect(nodes[2]).toMatchObject({ parent: 'b' });
    },
  );

  rule(
    'writes with the end of a run the rest of its trace, once, however often the end is tried',
    async (fixture) => {
      const { log, gate, reader, archive } = fixture;
      const draft = draftOf(1_000);
      await gate.write((tx) => log.open(tx, draft));
      const trace = log.trace(draft.id);
      trace.node(nodeRun('early', { startedAt: 1_000, status: 'running' }));
      trace.node(nodeRun('first', { startedAt: 900, status: 'succeeded' }));
      await log.flush();
      trace.node(nodeRun('early', { startedAt: 1_000, status: 'succeeded' }));
      trace.node(nodeRun('last', { startedAt: 2_000, status: 'succeeded' }));
      const ending = {
        executionId: draft.id,
        attempt: 1,
        outcome: succeededAt(2_100, { status: 'waiting' }),
        trace: trace.rest(),
      };
      const undone = gate.write(async (tx) => {
        await log.settleAll(tx, [ending]);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      await gate.write((tx) => log.settleAll(tx, [ending]));
      await gate.write((tx) => log.settle(tx, draft.id, succeededAt(2_200)));
      await log.flush();
      const rows = await reader.all('SELECT run_id FROM execution_nodes WHERE execution_id = ?', [draft.id]);
      expect(rows).toHaveLength(2);
      const { nodes } = await archive.get(draft.id);
      expect(nodes.map(({ runId, status }) => [runId, status])).toEqual([
        ['first', 'succeeded'],
        ['early', 'succeeded'],
        ['last', 'succeeded'],
      ]);
    },
  );

  rule('takes the rest out of its groups when the end is handed to the gate', async (fixture) => {
    const { log, gate, reader, archive } = fixture;
    const draft = draftOf(1_000);
    await gate.write((tx) => log.open(tx, draft));
    const trace = log.trace(draft.id);
    trace.node(nodeRun('last'));
    const ending = {
      executionId: draft.id,
      attempt: 1,
      outcome: succeededAt(1_100),
      trace: trace.rest(),
    };
    await log.flush();
    await gate.write((tx) => log.settleAll(tx, [ending]));
    const rows = await reader.all('SELECT run_id FROM execution_nodes WHERE execution_id = ?', [draft.id]);
    expect(rows).toHaveLength(0);
    expect((await archive.get(draft.id)).nodes).toHaveLength(1);
  });

  for (const [what, length, handOver] of [
    ['a trace too long for the record', 4_000, (trace: ExecutionTrace) => void trace.rest()],
    ['the trace of a resumed run', 10, (trace: ExecutionTrace) => trace.ahead()],
  ] as const) {
    rule(`writes ${what} before the end`, async ({ log, gate, reader }) => {
      const draft = draftOf(1_000);
      await gate.write((tx) => log.open(tx, draft));
      const trace = log.trace(draft.id);
      for (let run = 0; run < 100; run++) trace.node(nodeRun(`r${run}`, { output: 'x'.repeat(length) }));
      handOver(trace);
      await gate.write((tx) => log.settle(tx, draft.id, succeededAt(1_100)));
      const rows = await reader.all('SELECT run_id FROM execution_nodes WHERE execution_id = ?', [draft.id]);
      expect(rows).toHaveLength(100);
    });
  }

  rule('writes traces by itself within 50 ms, in groups', async ({ log, reader, gate }) => {
    await gate.write((tx) => log.open(tx, { ...draftOf(1), id: 'e-group' }));
    const trace = log.trace('e-group');
    for (let run = 0; run < 300; run++) trace.node(nodeRun(`r${run}`));
    const written = () =>
      reader.one<{ count: number }>(
        `SELECT count(*) AS count FROM execution_nodes WHERE execution_id = 'e-group'`,
      );
    await eventually(async () => Number((await written())!.count) > 0);
    expect(await written()).toMatchObject({ count: 300 });
  });

  rule(
    'writes no trace of a run once it was interrupted, or is gone on with by another attempt',
    async (fixture) => {
      const { log, gate, reader, clock } = fixture;
      const [interrupted, followed, ended] = [1, 2, 3].map(() => draftOf(clock.now()));
      const code = 'interrupted';
      await gate.write(async (tx) => {
        await log.openAll(tx, [interrupted!, followed!, ended!]);
        const trace = log.trace(interrupted!.id);
        trace.node(nodeRun('last'));
        const outcome = succeededAt(clock.now(), { status: 'failed', code });
        const ending = { executionId: interrupted!.id, attempt: 1, outcome, trace: trace.rest() };
        await log.settleAll(tx, [ending]);
        await log.settle(tx, ended!.id, succeededAt(clock.now()));
        await tx.run('UPDATE executions SET attempt = 2 WHERE id = ?', [followed!.id]);
      });
      for (const { id } of [interrupted!, followed!, ended!]) log.trace(id).node(nodeRun('late'));
      log.trace(followed!.id, { executionId: followed!.id, attempt: 2 }).node(nodeRun('next'));
      await log.flush();
      const ids = [interrupted!.id, followed!.id, ended!.id];
      const rows = await reader.all<{ execution_id: string; run_id: string }>(
        'SELECT execution_id, run_id FROM execution_nodes WHERE execution_id IN (?, ?, ?) ORDER BY run_id',
        ids,
      );
      expect(rows.map((row) => [row.execution_id, row.run_id])).toEqual([
        [ended!.id, 'late'],
        [followed!.id, 'next'],
      ]);
      expect((await fixture.archive.get(interrupted!.id)).nodes).toEqual([]);
    },
  );
});
