import { databases } from '../../../test/support/databases.js';
import { eventually } from '../../../test/support/eventually.js';
import { fixtureOn } from '../../../test/support/fixture-on.js';
import { openTestDatabase } from '../../../test/support/test-database.js';
import {
  draftOf,
  executionsOn,
  openTestExecutions,
  type TestExecutions,
} from '../../../test/support/test-executions.js';
import { type KeyedCall, requireKeys } from './idempotency.js';
import { REPLAY_MS } from './key-entry.js';

/** The call claimed the key and resumes nothing. */
const FRESH = { resumesFrom: undefined };

describe.each(databases)('an Idempotency-Key on %s', (kind) => {
  let count = 0;
  const { rule } = fixtureOn(kind, () => openTestExecutions(kind));

  const callOf = (members: object = {}) => {
    const id = ++count;
    return { scope: 's', key: `key-${id}`, fingerprint: 'f', executionId: `e-${id}`, ...members };
  };

  const body = { text: 'Hello', nested: { z: 1, a: [null, 'é'] } };

  rule('replays the kept answer, its body unchanged', async ({ answers, gate }) => {
    const call = callOf();
    expect(await answers.claimKey(call)).toEqual(FRESH);
    await gate.write((tx) => answers.store(tx, call.executionId, { httpStatus: 200, body }));
    const again = await answers.claimKey({ ...call, executionId: 'later' });
    expect(again).toEqual({
      replay: { executionId: call.executionId, status: 'succeeded', httpStatus: 200, body },
    });
    expect(JSON.stringify((again as { replay: { body: unknown } }).replay.body)).toBe(JSON.stringify(body));
  });

  rule(
    'is refused with 422 for another request, and with 409 while the first runs',
    async ({ answers, gate }) => {
      const call = callOf();
      await answers.claimKey(call);
      await expect(answers.claimKey({ ...call, executionId: 'x' })).rejects.toMatchObject({
        status: 409,
        code: 'idempotency_key_in_use',
      });
      await gate.write((tx) => answers.store(tx, call.executionId, { httpStatus: 500, body }));
      await expect(answers.claimKey({ ...call, fingerprint: 'other' })).rejects.toMatchObject({
        status: 422,
        code: 'idempotency_key_reused',
      });
    },
  );

  rule('belongs to its scope', async ({ answers }) => {
    const call = callOf();
    expect(await answers.claimKey(call)).toEqual(FRESH);
    expect(await answers.claimKey({ ...call, scope: 'another', executionId: 'y' })).toEqual(FRESH);
  });

  rule('runs one of forty equal calls that come at once', async ({ answers }) => {
    const call = callOf();
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        answers.claimKey({ ...call, executionId: `${call.executionId}-${index}` }),
      ),
    );
    const fresh = results.filter((result) => result.status === 'fulfilled');
    expect(fresh).toHaveLength(1);
    expect(fresh[0]!.value).toEqual(FRESH);
  });

  rule('is free again when the call was not answered in a way that is kept', async ({ answers, gate }) => {
    const call = callOf();
    await answers.claimKey(call);
    await gate.write((tx) => answers.release(tx, call.executionId));
    expect(await answers.claimKey({ ...call, fingerprint: 'another', executionId: 'z' })).toEqual(FRESH);
  });

  rule('keeps a kept answer from being released', async ({ answers, gate }) => {
    const call = callOf();
    await answers.claimKey(call);
    await gate.write((tx) => answers.store(tx, call.executionId, { httpStatus: 204, body: undefined }));
    await gate.write((tx) => answers.release(tx, call.executionId));
    expect(await answers.claimKey(call)).toEqual({
      replay: { executionId: call.executionId, status: 'succeeded', httpStatus: 204, body: null },
    });
  });

  rule('is forgotten after 24 hours, not before', async ({ answers, gate, clock, retention, reader }) => {
    const call = callOf();
    await answers.claimKey(call);
    await gate.write((tx) => answers.store(tx, call.executionId, { httpStatus: 200, body }));
    clock.advance(REPLAY_MS - 1);
    expect(await answers.claimKey({ ...call, executionId: 'later' })).not.toEqual(FRESH);
    clock.advance(1);
    expect(await answers.claimKey({ ...call, fingerprint: 'new', executionId: 'again' })).toEqual(FRESH);
    await gate.write((tx) => answers.store(tx, 'again', { httpStatus: 200, body }));
    clock.advance(REPLAY_MS);
    await retention.sweep();
    expect(await reader.all('SELECT 1 FROM idempotent_answers WHERE http_status IS NOT NULL')).toEqual([]);
  });

  rule('keeps a call from running whose key was given free before it had a record', async (fixture) => {
    const { answers, gate, log, clock } = fixture;
    const call = callOf();
    await answers.claimKey(call);
    const open = () =>
      gate.write(async (tx) => {
        await requireKeys(tx, [call.executionId]);
        return log.open(tx, draftOf(clock.now(), { id: call.executionId }));
      });
    await gate.write((tx) => answers.release(tx, call.executionId));
    await expect(open()).rejects.toMatchObject({ status: 409, code: 'idempotency_key_in_use' });
    await answers.claimKey(call);
    expect(await open()).toBe(true);
  });

  rule(
    'is left, once, by a process that is gone when its calls are interrupted, and not by one that lives',
    async ({ database, answers, recovery, reader }) => {
      const call = callOf();
      const other = await openTestDatabase(kind, { place: database.place });
      expect(await executionsOn(other).answers.claimKey(call)).toEqual(FRESH);
      await recovery.recover();
      await expect(answers.claimKey({ ...call, executionId: 'mine' })).rejects.toMatchObject({ status: 409 });
      await other.close({ keep: true });
      const held = 'SELECT 1 FROM idempotent_answers WHERE idempotency_key = ? AND process_id IS NOT NULL';
      await eventually(async () => {
        await recovery.recover();
        return (await reader.one(held, [call.key])) === undefined;
      });
      const results = await Promise.allSettled(
        [1, 2, 3].map((index) => answers.claimKey({ ...call, executionId: `mine-${index}` })),
      );
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    },
  );

  describe('of a run that did not come to its end', () => {
    /** A call under a key of its own that ended so, its key left. */
    const ended = async (
      { answers, gate, log }: TestExecutions,
      status: 'failed' | 'aborted',
      code: string,
    ) => {
      const call = callOf();
      await answers.claimKey(call);
      await gate.write(async (tx) => {
        await log.open(tx, { ...draftOf(1), id: call.executionId, credits: 1 });
        await log.settle(tx, call.executionId, { status, httpStatus: 500, code, finishedAt: 2 });
        await answers.leave(tx, call.executionId);
      });
      return call;
    };
    const retry = async ({ answers, gate, log }: TestExecutions, call: KeyedCall, executionId: string) => {
      const turn = await answers.claimKey({ ...call, executionId });
      const earlier = 'resumesFrom' in turn ? turn.resumesFrom : undefined;
      await gate.write(async (tx) => {
        const run = earlier ? { retryOf: earlier.executionId, runId: earlier.runId } : {};
        await log.open(tx, { ...draftOf(3), id: executionId, credits: earlier?.paid ? 0 : 1, ...run });
        await log.settle(tx, executionId, { status: 'aborted', httpStatus: 499, finishedAt: 4 });
        await answers.leave(tx, executionId);
      });
      return earlier;
    };

    rule('is gone on with from the first of its executions, and paid anew after a refund', async (own) => {
      const call = await ended(own, 'failed', 'interrupted');
      const again = { executionId: call.executionId, runId: call.executionId, paid: false };
      expect(await retry(own, call, `${call.executionId}-2`)).toEqual(again);
      const third = await retry(own, call, `${call.executionId}-3`);
      expect(third).toEqual({ executionId: `${call.executionId}-2`, runId: call.executionId, paid: true });
    });

    rule('costs nothing again while its charge stands, three times', async (own) => {
      const call = await ended(own, 'aborted', 'caller_left');
      const paid: (boolean | undefined)[] = [];
      for (let at = 0; at < 4; at++) paid.push((await retry(own, call, `${call.executionId}-${at}`))?.paid);
      expect(paid).toEqual([true, true, true, false]);
    });

    rule('is refused for another request, and keeps its run when the call is refused itself', async (own) => {
      const call = await ended(own, 'failed', 'interrupted');
      const other = { ...call, fingerprint: 'other', executionId: 'o' };
      await expect(own.answers.claimKey(other)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
      const refused = `${call.executionId}-refused`;
      await own.answers.claimKey({ ...call, executionId: refused });
      await own.gate.write((tx) => own.answers.release(tx, refused));
      const turn = await own.answers.claimKey({ ...call, executionId: `${call.executionId}-2` });
      expect(turn).toMatchObject({ resumesFrom: { runId: call.executionId } });
    });

    rule('begins anew after 24 hours', async (own) => {
      const call = await ended(own, 'failed', 'interrupted');
      own.clock.advance(REPLAY_MS + 1);
      expect(await own.answers.claimKey({ ...call, fingerprint: 'new', executionId: 'n' })).toEqual(FRESH);
    });
  });
});
