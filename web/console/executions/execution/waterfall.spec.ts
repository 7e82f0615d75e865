import type { NodeTrace } from '../../../../src/api/executions.js';
import { tellingRun, waterfallOf } from './waterfall.js';

const T = Date.parse('2026-11-21T02:00:00Z');
const at = (ms: number) => new Date(T + ms).toISOString();
const run = (
  runId: string,
  startMs: number,
  durationMs: number | null,
  more: Partial<NodeTrace> = {},
): NodeTrace => ({
  runId,
  nodeId: runId,
  label: runId,
  kind: 'reply',
  status: durationMs === null ? 'running' : 'succeeded',
  startedAt: at(startMs),
  durationMs,
  input: null,
  output: null,
  attempt: 1,
  ...more,
});
const ended = { startedAt: at(0), finishedAt: at(1_000), status: 'succeeded' as const };

describe('the waterfall', () => {
  it('places the runs along the time axis', () => {
    const { bars, spanMs } = waterfallOf(ended, [run('a', 0, 250), run('b', 250, 500, { parent: 'a' })]);
    expect(spanMs).toBe(1_000);
    expect(bars.map(({ offset, width, depth }) => [offset, width, depth])).toEqual([
      [0, 0.25, 0],
      [0.25, 0.5, 1],
    ]);
  });

  it('grows while something runs', () => {
    const running = { startedAt: at(0), finishedAt: null, status: 'running' as const };
    const { bars, spanMs } = waterfallOf(running, [run('a', 0, 100), run('b', 100, null)], T + 400);
    expect([spanMs, bars[1]!.durationMs, bars[1]!.width]).toEqual([400, 300, 0.75]);
  });

  it('handles runs after the end of the record, unfinished runs and cycles of parents', () => {
    const later = waterfallOf(ended, [run('a', 0, 10), run('b', 9_000, 1_000)]);
    expect(later.spanMs).toBe(10_000);
    const broken = waterfallOf(ended, [run('a', 0, null, { parent: 'b' }), run('b', 0, 0, { parent: 'a' })]);
    expect(broken.bars.map(({ width }) => width)).toEqual([0, 0]);
    expect(broken.bars[0]!.depth).toBeLessThan(9);
    expect(waterfallOf({ ...ended, finishedAt: null }, [])).toEqual({ bars: [], spanMs: 1 });
  });

  it('knows which run to look at first', () => {
    const runs = [run('a', 0, 1), run('b', 1, 1, { status: 'failed' }), run('c', 2, 1)];
    expect(tellingRun({ failedNode: { id: 'b', label: 'B' } }, runs)!.runId).toBe('b');
    expect(tellingRun({}, [run('a', 0, null), run('b', 0, 1)])!.runId).toBe('a');
    expect(tellingRun({}, runs.slice(0, 1))!.runId).toBe('a');
    expect(tellingRun({}, [])).toBeUndefined();
  });
});
