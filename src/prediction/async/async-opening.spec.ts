import { databases } from '../../../test/support/databases.js';
import { fixtureOn } from '../../../test/support/fixture-on.js';
import { openTestDatabase } from '../../../test/support/test-database.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { AsyncOpening, ApprovalDecided } from './async-opening.js';

const CLICKS = 1_000;

describe.each(databases)('the opening of async runs on %s', (kind) => {
  const { rule } = fixtureOn(kind, () => openTestDatabase(kind));

  rule('leaves no stored call of clicks that lose', async ({ gate }) => {
    const files = new Set<string>();
    let written = 0;
    const calls = {
      put: async () => {
        const requestKey = `runs/${++written}`;
        files.add(requestKey);
        return { requestKey };
      },
      remove: async ({ requestKey }: { requestKey: string }) => void files.delete(requestKey),
    };
    const others = {
      stops: { decide: async () => false },
      secrets: { linkSecret: 'a link secret of the tests' },
    };
    const opening = new AsyncOpening(
      ...([calls, gate, {}, {}, {}, {}, others.stops, others.secrets] as unknown as ConstructorParameters<
        typeof AsyncOpening
      >),
    );
    const call = {
      flow: { id: 'flow', account: 'default', definition: {} },
      body: { humanInput: { type: 'proceed' } },
      answers: { name: 'stop', executionId: 'asked', runId: 'asked' },
      apiCall: { executionId: 'click' },
    } as unknown as PredictionCall;
    const click = () => opening.open(call, { executionId: 'click' } as CallContext, true);
    const lost = await Promise.allSettled(Array.from({ length: CLICKS }, click));
    expect(lost.every(({ status }) => status === 'rejected')).toBe(true);
    await expect(click()).rejects.toBeInstanceOf(ApprovalDecided);
    expect([written, files.size]).toEqual([CLICKS + 1, 0]);
  });
});
