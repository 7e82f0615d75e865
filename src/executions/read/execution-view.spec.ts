import type { ExecutionRecord } from '../../api/executions.js';
import { nodesOf, traceViewOf } from './execution-view.js';

describe('the trace of a run whose process died', () => {
  const at = Date.parse('2026-11-21T02:00:00.000Z');
  const node = (run_id: string, position: number, run: object) => ({
    run_id,
    position,
    data: JSON.stringify({ nodeId: run_id, label: run_id, kind: 'http', attempt: 1, ...run }),
  });
  const nodes = nodesOf(
    [
      node('a', 0, { status: 'succeeded', startedAt: at, durationMs: 5 }),
      node('b', 1, { status: 'running', startedAt: at + 1_000 }),
    ],
    null,
  );
  const shown = (status: string, finishedAt: string | null) =>
    traceViewOf(nodes, { status, finishedAt } as ExecutionRecord).map((run) => [run.status, run.durationMs]);

  it('runs no longer once it has ended', () => {
    expect(shown('failed', '2026-11-21T02:00:04.000Z')).toEqual([
      ['succeeded', 5],
      ['stopped', 3_000],
    ]);
  });

  it.each(['running', 'waiting'])('is left alone while it is %s', (status) => {
    expect(shown(status, null)).toEqual([
      ['succeeded', 5],
      ['running', null],
    ]);
  });
});
