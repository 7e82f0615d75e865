import type { ExecutionWithTrace } from '../../../src/api/executions.js';
import { cutShort } from './cut-short.js';

describe('the trace of a run whose process died', () => {
  const nodes = [
    { runId: 'a', status: 'succeeded', startedAt: '2026-11-21T02:00:00.000Z', durationMs: 5 },
    { runId: 'b', status: 'running', startedAt: '2026-11-21T02:00:01.000Z', durationMs: null },
  ];
  const record = (status: string, finishedAt: string | null) =>
    ({ status, finishedAt, nodes }) as unknown as ExecutionWithTrace;

  it('runs no longer once it has ended', () => {
    const cut = cutShort(record('failed', '2026-11-21T02:00:04.000Z'));
    expect(cut.nodes.map(({ status, durationMs }) => [status, durationMs])).toEqual([
      ['succeeded', 5],
      ['stopped', 3_000],
    ]);
  });

  it('is left alone while it runs or waits', () => {
    for (const status of ['running', 'waiting']) expect(cutShort(record(status, null)).nodes).toBe(nodes);
  });
});
