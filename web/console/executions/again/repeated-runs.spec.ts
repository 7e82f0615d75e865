import type { ExecutionRecord } from '../../../../src/api/executions.js';
import { repeatable, RepeatedRuns, type Run } from './repeated-runs.js';

const record = (id: string, more: object = {}): ExecutionRecord =>
  ({
    id,
    kind: 'prediction',
    flowId: 'flow',
    status: 'failed',
    startedAt: `2026-11-27T03:00:0${id}.000Z`,
    ...more,
  }) as ExecutionRecord;

describe('several executions run again', () => {
  it('are those of flows that have ended, except answers to an approval', () => {
    const all = [
      record('1'),
      record('2', { status: 'running' }),
      record('3', { kind: 'capture' }),
      record('4', { flowId: null }),
      record('5', { status: 'rejected' }),
      record('6', { status: 'waiting' }),
      record('7', { question: 'Proceed', resumes: '6' }),
    ];
    expect(repeatable(all).map(({ id }) => id)).toEqual(['1', '5']);
  });

  it('run oldest first, two at once, each to its own end', async () => {
    const order: string[] = [];
    let active = 0;
    let most = 0;
    const run: Run = async ({ id }, begun) => {
      order.push(id);
      most = Math.max(most, ++active);
      begun(`new-${id}`);
      await new Promise((done) => setTimeout(done));
      active--;
      const error = id === '2' ? new Error('refused') : undefined;
      return { complete: true, executionId: `new-${id}`, execution: undefined, error };
    };
    const repeated = new RepeatedRuns(run);
    const started = repeated.start(['3', '1', '2', '4'].map((id) => record(id)));
    repeated.forget();
    await started;
    const { runs, isOver } = repeated.snapshot()!;
    expect(isOver).toBe(true);
    expect(order).toEqual(['1', '2', '3', '4']);
    expect(most).toBe(2);
    expect(runs.map(({ state, executionId, end }) => [state, executionId, end?.error])).toEqual([
      ['ended', 'new-1', undefined],
      ['ended', 'new-2', new Error('refused')],
      ['ended', 'new-3', undefined],
      ['ended', 'new-4', undefined],
    ]);
    repeated.forget();
    expect(repeated.snapshot()).toBeUndefined();
  });

  it('start no further run after they were stopped', async () => {
    const started: string[] = [];
    const run: Run = ({ id }) => {
      started.push(id);
      repeated.stop();
      return Promise.resolve({
        complete: false,
        executionId: undefined,
        execution: undefined,
        error: undefined,
      });
    };
    const repeated = new RepeatedRuns(run);
    await repeated.start(['1', '2', '3'].map((id) => record(id)));
    expect(started).toEqual(['1']);
    const { runs, isOver } = repeated.snapshot()!;
    expect(runs.map(({ state }) => state)).toEqual(['ended', 'waiting', 'waiting']);
    expect(isOver).toBe(true);
  });
});
