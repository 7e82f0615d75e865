import { databases } from '../../../test/support/databases.js';
import { fixtureOn } from '../../../test/support/fixture-on.js';
import { StoppedClock } from '../../../test/support/stopped-clock.js';
import { openTestDatabase } from '../../../test/support/test-database.js';
import { CallbackEntity } from '../../executions/async/callback.entity.js';
import { Outbox, OutboxRooms } from '../../executions/outbox/outbox.js';
import { CALLBACK_SHARES } from './callbacks.js';

describe.each(databases)('the outbox of callbacks on %s', (kind) => {
  const { rule } = fixtureOn(kind, () => openTestDatabase(kind), { perTest: true });

  rule('leaves places for others beside a flow whose targets hang', async ({ gate, reader, presence }) => {
    const clock = new StoppedClock();
    const outbox = new Outbox(
      CallbackEntity,
      new OutboxRooms(gate, reader, presence, clock),
      CALLBACK_SHARES,
    );
    let queued = 0;
    const queue = (flowId: string, host: string, count: number) =>
      gate.write(async (tx) => {
        for (let row = 0; row < count; row++) {
          const nextAttemptAt = clock.now() - 1_000 + ++queued;
          await tx.repository(CallbackEntity).insert({
            ...{
              id: `msg_${queued}`,
              executionId: 'x',
              flowId,
              target: `${flowId} ${host}`,
              url: `http://${host}`,
            },
            ...{ credentialId: 'c', body: '{}', state: 'queued', attempts: 0, nextAttemptAt, createdAt: 1 },
          });
        }
      });
    const takeAll = async (): Promise<CallbackEntity[]> => {
      const row = await outbox.take();
      return row ? [row, ...(await takeAll())] : [];
    };
    await queue('hanging', 'one', 64);
    await queue('hanging', 'healthy', 1);
    for (let host = 0; host < 64; host++) await queue('many', `host-${host}`, 1);
    await queue('other', 'healthy', 1);
    const taken = await takeAll();
    const of = (flow: string) => taken.filter(({ flowId }) => flowId === flow);
    expect(
      of('hanging')
        .map(({ target }) => target)
        .sort(),
    ).toEqual(['hanging healthy', 'hanging one', 'hanging one']);
    expect([of('many').length, of('other').length]).toEqual([8, 1]);
    await outbox.finish(of('many')[0]!, { state: 'queued', waitMs: 5_000 });
    expect((await takeAll()).map(({ flowId }) => flowId)).toEqual(['many']);
  });
});
