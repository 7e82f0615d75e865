import { databases } from '../../../test/support/databases.js';
import { eventually } from '../../../test/support/eventually.js';
import { fixtureOn } from '../../../test/support/fixture-on.js';
import { StoppedClock } from '../../../test/support/stopped-clock.js';
import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { Logger } from '../../common/logger.js';
import { DatabaseAway } from '../../database/away.js';
import type { ProcessPresence } from '../../database/presence/process-presence.js';
import { LateWrites } from '../../database/writes/late-writes.js';
import type { WriteGate } from '../../database/writes/write-gate.js';
import { CallbackEntity } from '../../executions/async/callback.entity.js';
import { LEASE_MS, Outbox, OutboxRooms } from '../../executions/outbox/outbox.js';
import { CALLBACK_SHARES } from './callbacks.js';

describe.each(databases)('the outbox of callbacks on %s', (kind) => {
  const { rule } = fixtureOn(kind, () => openTestDatabase(kind), { perTest: true });
  const lateWrites = new LateWrites(new Logger('silent'));
  afterAll(() => lateWrites.onModuleDestroy());

  /** Queues a callback and leases it in an outbox over these parts. */
  const leased = async (
    { gate, reader, presence }: TestDatabase,
    parts: { gate?: WriteGate; presence?: ProcessPresence },
  ) => {
    const clock = new StoppedClock();
    const rooms = new OutboxRooms(parts.gate ?? gate, reader, parts.presence ?? presence, clock, lateWrites);
    const outbox = new Outbox(CallbackEntity, rooms, CALLBACK_SHARES);
    await gate.write((tx) =>
      tx.repository(CallbackEntity).insert({
        ...{ id: 'msg_1', executionId: 'x', flowId: 'f', target: 'f host', url: 'http://host' },
        ...{ credentialId: 'c', body: '{}', state: 'queued', attempts: 0, nextAttemptAt: 1, createdAt: 1 },
      }),
    );
    const state = async () => (await reader.repository(CallbackEntity).findOneBy({ id: 'msg_1' }))?.state;
    return { outbox, row: (await outbox.take())!, state, clock };
  };

  rule(
    'stores that a callback was sent once the database is back, and sends it no more',
    async (database) => {
      let isAway = false;
      const write: WriteGate['write'] = (work, keys) =>
        isAway && keys?.length === 0
          ? Promise.reject(new DatabaseAway(undefined))
          : database.gate.write(work, keys);
      const { outbox, row, state, clock } = await leased(database, { gate: { write } as WriteGate });
      isAway = true;
      await outbox.finish(row, { state: 'sent' });
      clock.advance(LEASE_MS);
      expect([await state(), await outbox.take()]).toEqual(['sending', undefined]);
      isAway = false;
      await eventually(async () => (await state()) === 'sent');
    },
  );

  rule('stores that a callback was sent although the process has a new name by then', async (database) => {
    const presence = { id: database.presence.id, isGone: () => Promise.resolve(false) };
    const { outbox, row, state } = await leased(database, {
      presence: presence as unknown as ProcessPresence,
    });
    presence.id = 'a new name';
    await outbox.finish(row, { state: 'sent' });
    expect(await state()).toBe('sent');
  });

  rule('does not end a later attempt by the end of an earlier one', async (database) => {
    const { outbox, row, state, clock } = await leased(database, {});
    clock.advance(LEASE_MS);
    expect((await outbox.take())?.attempts).toBe(2);
    await outbox.finish(row, { state: 'failed' });
    expect(await state()).toBe('sending');
  });

  rule('leaves places for others beside a flow whose targets hang', async ({ gate, reader, presence }) => {
    const clock = new StoppedClock();
    const outbox = new Outbox(
      CallbackEntity,
      new OutboxRooms(gate, reader, presence, clock, lateWrites),
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
