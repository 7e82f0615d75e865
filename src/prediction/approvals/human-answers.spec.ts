import type { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import type { RunApproval } from '../../executions/approvals/approval.js';
import type { AsyncStatus } from '../../executions/async/async-run-store.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import { ApprovalDecided } from '../async/async-opening.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { type DecidedApproval, HumanAnswers } from './human-answers.js';

/** Returns the service with these dependencies, in the order of its constructor. */
const answersWith = (...dependencies: readonly unknown[]) =>
  new HumanAnswers(...(dependencies as ConstructorParameters<typeof HumanAnswers>));

describe('clicks with the decision of an earlier one', () => {
  it('wait for its answer up to a number a chat; the next is refused at once', async () => {
    let status: AsyncStatus = { status: 'running' };
    const runs = { find: async () => status };
    const config = { maxWaitingPerChat: 3 } as AppConfig;
    const answers = answersWith({}, {}, runs, {}, new Clock(), {}, {}, config);
    const approval = { decision: { type: 'proceed', by: 'click', at: 1 } } as DecidedApproval;
    const context = { signal: new AbortController().signal } as CallContext;
    const click = () =>
      answers.answerAgain(
        approval,
        { type: 'proceed', startNodeId: 'stop' },
        { seesFailures: false },
        context,
      );
    const waiting = [click(), click(), click()];
    await expect(click()).rejects.toMatchObject({ status: 409, code: 'session_busy' });
    status = { status: 'succeeded', answer: { text: 'done' } };
    expect(await Promise.all(waiting)).toEqual(Array(3).fill(expect.objectContaining({ httpStatus: 200 })));
    expect(await click()).toMatchObject({ httpStatus: 200 });
  });
});

describe('a click on an approval', () => {
  it('is 409 if the approval expires while the click is opened', async () => {
    let now = 0;
    const approval: RunApproval = {
      ...{ name: 'ask#1', flowId: 'flow', chatId: 'chat', executionId: 'waits', runId: 'waits' },
      expiresAt: 10,
    };
    const approvals = { findNamed: async () => ({ ...approval }), flowVersionOf: async () => undefined };
    const expiry = {
      expireRun: async () => {
        approval.decision = { type: 'expired', at: now };
      },
    };
    const asyncRuns = {
      decide: async () => {
        now = 10;
        throw new ApprovalDecided();
      },
    };
    const clock = { now: () => now };
    const answers = answersWith(
      approvals,
      expiry,
      {},
      {},
      clock,
      asyncRuns,
      {},
      { maxWaitingPerChat: 3 },
      {},
    );
    const call = { flow: { id: 'flow' }, chatId: 'chat' } as PredictionCall;
    const click = answers.answer(call, { type: 'proceed', startNodeId: 'ask#1' }, {} as CallContext, false);
    await expect(click).rejects.toMatchObject({
      code: 'already_decided',
      members: { decided: { type: 'expired' } },
    });
  });
});
