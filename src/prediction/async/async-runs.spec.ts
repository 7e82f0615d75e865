import type { CallContext } from '../../executions/calls/call-context.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { AsyncRuns } from './async-runs.js';

describe('runs that go on after an answer', () => {
  it('are bounded for a caller, also when it leaves, until they end', async () => {
    const ends: (() => void)[] = [];
    const runUnderLock = () => new Promise<void>((resolve) => ends.push(resolve));
    const parts = {
      opening: { open: async () => ({ run: { requestKey: 'runs/1' } }) },
      ends: { storedAtItsEnd: (run: unknown) => run, removeCall: async () => undefined },
      callbacks: { hurry: () => undefined },
      predictions: { runUnderLock },
      readiness: { isStopping: false },
    };
    const runs = new AsyncRuns(
      ...([
        ...[parts.opening, {}, parts.ends, parts.callbacks, parts.predictions],
        ...[{}, {}, parts.readiness, {}],
      ] as unknown as ConstructorParameters<typeof AsyncRuns>),
    );
    const click = (address: string) =>
      runs.decide(
        { apiCall: { caller: { address } }, streamed: false } as unknown as PredictionCall,
        { executionId: 'click' } as CallContext,
      );
    const started = await Promise.all(Array.from({ length: 200 }, () => click('10.0.0.1')));
    await expect(click('10.0.0.1')).rejects.toMatchObject({ status: 429, code: 'quota_exceeded' });
    await expect(click('10.0.0.2')).resolves.toBeDefined();
    ends[0]!();
    await started[0]!.ending;
    await expect(click('10.0.0.1')).resolves.toBeDefined();
  });
});
