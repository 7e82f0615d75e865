import type { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import type { AsyncStatus } from '../../executions/async/async-run-store.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import { type DecidedApproval, HumanAnswers } from './human-answers.js';

describe('clicks with the decision of an earlier one', () => {
  it('wait for its answer up to a number a chat; the next is refused at once', async () => {
    let status: AsyncStatus = { status: 'running' };
    const runs = { find: async () => status };
    const answers = new HumanAnswers(
      ...([
        {},
        {},
        runs,
        {},
        new Clock(),
        {},
        {},
        { maxWaitingPerChat: 3 } as AppConfig,
      ] as unknown as ConstructorParameters<typeof HumanAnswers>),
    );
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
