import type { DatabaseKind } from '../../test/support/databases.js';
import { eventually } from '../../test/support/eventually.js';
import { postgresReachable } from '../../test/support/services.js';
import { openTestDatabase } from '../../test/support/test-database.js';
import {
  draftOf,
  executionsOn,
  openTestExecutions,
  type TestExecutions,
} from '../../test/support/test-executions.js';
import { KEPT_MS } from './idempotency.js';

describe.each<DatabaseKind>(['sqlite', 'postgres'])('an Idempotency-Key on %s', (kind) => {
  let room: TestExecutions | undefined;
  let count = 0;

  beforeAll(async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    room = await openTestExecutions(kind);
  });

  afterAll(() => room?.close());

  const rule = (name: string, body: (room: TestExecutions) => Promise<void>) =>
    it(name, async () => {
      if (room) await body(room);
    });

  const callOf = (members: object = {}) => {
    const id = ++count;
    return { scope: 's', key: `key-${id}`, fingerprint: 'f', executionId: `e-${id}`, ...members };
  };

  const body = { text: 'Hello', nested: { z: 1, a: [null, 'é'] } };

  rule('replays the kept answer, its body unchanged', async ({ answers, gate }) => {
    const call = callOf();
    expect(await answers.begin(call)).toBe('fresh');
    await gate.write((tx) => answers.keep(tx, call.executionId, { httpStatus: 200, body }));
    const again = await answers.begin({ ...call, executionId: 'later' });
    expect(again).toEqual({
      replay: { executionId: call.executionId, status: 'succeeded', httpStatus: 200, body },
    });
    expect(JSON.stringify((again as { replay: { body: unknown } }).replay.body)).toBe(JSON.stringify(body));
  });

  rule(
    'is refused with 422 for another request, and with 409 while the first runs',
    async ({ answers, gate }) => {
      const call = callOf();
      await answers.begin(call);
      await expect(answers.begin({ ...call, executionId: 'x' })).rejects.toMatchObject({
        status: 409,
        code: 'idempotency_key_in_use',
      });
      await gate.write((tx) => answers.keep(tx, call.executionId, { httpStatus: 500, body }));
      await expect(answers.begin({ ...call, fingerprint: 'other' })).rejects.toMatchObject({
        status: 422,
        code: 'idempotency_key_reused',
      });
    },
  );

  rule('belongs to its scope', async ({ answers }) => {
    const call = callOf();
    expect(await answers.begin(call)).toBe('fresh');
    expect(await answers.begin({ ...call, scope: 'another', executionId: 'y' })).toBe('fresh');
  });

  rule('runs one of forty equal calls that come at once', async ({ answers }) => {
    const call = callOf();
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        answers.begin({ ...call, executionId: `${call.executionId}-${index}` }),
      ),
    );
    const fresh = results.filter((result) => result.status === 'fulfilled');
    expect(fresh).toHaveLength(1);
    expect(fresh[0]!.value).toBe('fresh');
  });

  rule('is free again when the call was not answered in a way that is kept', async ({ answers, gate }) => {
    const call = callOf();
    await answers.begin(call);
    await gate.write((tx) => answers.release(tx, call.executionId));
    expect(await answers.begin({ ...call, fingerprint: 'another', executionId: 'z' })).toBe('fresh');
  });

  rule('keeps a kept answer from being released', async ({ answers, gate }) => {
    const call = callOf();
    await answers.begin(call);
    await gate.write((tx) => answers.keep(tx, call.executionId, { httpStatus: 204, body: undefined }));
    await gate.write((tx) => answers.release(tx, call.executionId));
    expect(await answers.begin(call)).toEqual({
      replay: { executionId: call.executionId, status: 'succeeded', httpStatus: 204, body: null },
    });
  });

  rule('is forgotten after 24 hours, not before', async ({ answers, gate, clock, retention, reader }) => {
    const call = callOf();
    await answers.begin(call);
    await gate.write((tx) => answers.keep(tx, call.executionId, { httpStatus: 200, body }));
    clock.advance(KEPT_MS - 1);
    expect(await answers.begin({ ...call, executionId: 'later' })).not.toBe('fresh');
    clock.advance(1);
    expect(await answers.begin({ ...call, fingerprint: 'new', executionId: 'again' })).toBe('fresh');
    await gate.write((tx) => answers.keep(tx, 'again', { httpStatus: 200, body }));
    clock.advance(KEPT_MS);
    await retention.sweep();
    expect(await reader.all('SELECT 1 FROM idempotent_answers WHERE http_status IS NOT NULL')).toEqual([]);
  });

  rule('keeps a call from running whose key was given free before it had a record', async (room) => {
    const { answers, gate, log, clock } = room;
    const call = callOf();
    await answers.begin(call);
    const open = () =>
      gate.write((tx) => log.open(tx, draftOf(clock.now(), { id: call.executionId, keyed: true })));
    await gate.write((tx) => answers.release(tx, call.executionId));
    await expect(open()).rejects.toMatchObject({ status: 409, code: 'idempotency_key_in_use' });
    await answers.begin(call);
    expect(await open()).toBe(true);
  });

  rule(
    'is free for one call when its process is gone, and not while it lives',
    async ({ database, answers, recovery }) => {
      const call = callOf();
      const other = await openTestDatabase(kind, { place: database.place });
      expect(await executionsOn(other).answers.begin(call)).toBe('fresh');
      await expect(answers.begin({ ...call, executionId: 'mine' })).rejects.toMatchObject({ status: 409 });
      await other.close({ keep: true });
      await eventually(async () => {
        await recovery.recover();
        const held = 'SELECT 1 FROM idempotent_answers WHERE execution_id = ?';
        return (await database.reader.one(held, [call.executionId])) === undefined;
      });
      const results = await Promise.allSettled(
        [1, 2, 3].map((index) => answers.begin({ ...call, executionId: `mine-${index}` })),
      );
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    },
  );
});
