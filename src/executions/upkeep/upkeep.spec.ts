import { databases } from '../../../test/support/databases.js';
import { eventually } from '../../../test/support/eventually.js';
import { fixtureOn } from '../../../test/support/fixture-on.js';
import { openTestDatabase } from '../../../test/support/test-database.js';
import {
  draftOf,
  executionsOn,
  openTestExecutions,
  succeededAt,
  type TestExecutions,
} from '../../../test/support/test-executions.js';
import type { ExecutionStatus } from '../../api/execution-terms.js';
import { CallContext } from '../calls/call-context.js';

const DAY_MS = 86_400_000;

describe.each(databases)('the upkeep of the execution log on %s', (kind) => {
  const env = { EXECUTION_RETENTION_DAYS: '90', REFUSED_RETENTION_DAYS: '7' };
  const { rule } = fixtureOn(kind, () => openTestExecutions(kind, { env }), { perTest: true });

  const openOne = async (
    { log, gate, clock }: Pick<TestExecutions, 'log' | 'gate' | 'clock'>,
    members = {},
  ) => {
    const draft = draftOf(clock.now(), members);
    await gate.write((tx) => log.open(tx, draft));
    return draft.id;
  };

  rule('ends the runs of a process that is gone, once, and tells the listeners', async (fixture) => {
    const { database, recovery, log, archive } = fixture;
    const other = await openTestDatabase(kind, { place: database.place });
    const theirs = executionsOn(other);
    const ids: string[] = [];
    for (let run = 0; run < 130; run++) {
      ids.push(await openOne(theirs, { flowId: 'f', chatId: `c${run}`, takesChatLock: true, credits: 1 }));
    }
    const mine = await openOne(fixture);
    const heard: string[] = [];
    log.onSettled(async (_tx, { id, code }) => void heard.push(`${id} ${code}`));

    expect(await recovery.recover()).toBe(0);
    await other.close({ keep: true });
    const second = executionsOn(await openTestDatabase(kind, { place: database.place }));
    const ended: [number, number] = [0, 0];
    await eventually(async () => {
      const more = await Promise.all([recovery.recover(), second.recovery.recover()]);
      ended[0] += more[0];
      ended[1] += more[1];
      return ended[0] + ended[1] === 130;
    });
    await second.database.close({ keep: true });

    expect(ended[0] + ended[1]).toBe(130);
    expect(new Set(heard).size).toBe(heard.length);
    expect(heard.length).toBe(ended[0]);
    expect(await archive.get(ids[0]!)).toMatchObject({
      status: 'failed',
      httpStatus: 500,
      code: 'interrupted',
    });
    expect((await archive.get(mine)).status).toBe('running');
    expect(await fixture.reader.all('SELECT 1 FROM executions WHERE holds_turn = 1')).toEqual([]);
  });

  rule('does not let one record that cannot be ended keep the others', async (fixture) => {
    const { database, recovery, log } = fixture;
    const other = await openTestDatabase(kind, { place: database.place });
    const stuck = await openOne(executionsOn(other));
    await openOne(executionsOn(other));
    await other.close({ keep: true });
    let fails = true;
    log.onSettled(async (_tx, { id }) => {
      if (id === stuck && fails) throw new Error('no refund');
    });
    await eventually(async () => (await recovery.recover()) === 1);
    fails = false;
    expect(await recovery.recover()).toBe(1);
  });

  rule('interrupts what this process still runs when it stops', async (fixture) => {
    const id = await openOne(fixture);
    await fixture.recovery.onModuleDestroy();
    expect(await fixture.archive.get(id)).toMatchObject({ status: 'failed', code: 'interrupted' });
  });

  rule('keeps records 90 days and refused calls 7, with their traces', async (fixture) => {
    const { clock, log, retention, reader, gate } = fixture;
    const now = clock.now();
    const put = async (name: string, ageMs: number, status: ExecutionStatus) => {
      const draft = draftOf(now - ageMs, { question: name });
      await gate.write((tx) => log.open(tx, draft));
      log.trace(draft.id).node({
        runId: 'r',
        nodeId: 'n',
        label: 'n',
        kind: 'reply',
        status: 'succeeded',
        startedAt: now,
        input: null,
        attempt: 1,
      });
      if (status !== 'running') {
        await gate.write((tx) => log.settle(tx, draft.id, succeededAt(now, { status })));
      }
    };
    await put('refused, old', 7 * DAY_MS + 1, 'rejected');
    await put('refused, young', 7 * DAY_MS - 1, 'rejected');
    await put('old', 90 * DAY_MS + 1, 'succeeded');
    await put('old failure', 90 * DAY_MS + 1, 'failed');
    await put('old but running', 90 * DAY_MS + 1, 'running');
    await put('young', 90 * DAY_MS - 1, 'succeeded');
    await log.flush();
    expect(await retention.sweep()).toBe(3);
    const left = await reader.all<{ question: string }>('SELECT question FROM executions ORDER BY question');
    expect(left.map((row) => row.question)).toEqual(['old but running', 'refused, young', 'young']);
    expect(await reader.all('SELECT 1 AS one FROM execution_nodes')).toHaveLength(3);
  });

  rule(
    'deletes what is due in small batches, however much it is',
    async ({ clock, log, retention, reader }) => {
      for (let call = 0; call < 1_000; call++) {
        const draft = draftOf(clock.now() - 8 * DAY_MS);
        log.refuse({ ...draft, status: 'rejected', httpStatus: 401, finishedAt: clock.now() });
      }
      await log.flush();
      expect(await retention.sweep()).toBe(1_000);
      expect(await reader.all('SELECT 1 FROM executions')).toEqual([]);
    },
  );

  rule('cancels what runs in this process at once', async (fixture) => {
    const id = await openOne(fixture);
    const stopped: string[] = [];
    fixture.log.onCancel((executionId) => stopped.push(executionId) > 0);
    expect(await fixture.cancellation.cancel(id)).toEqual({ id, status: 'running', cancelled: true });
    expect(stopped).toEqual([id]);
  });

  rule('cancels what runs in another process', async (fixture) => {
    const other = await openTestDatabase(kind, { place: fixture.database.place });
    const theirs = executionsOn(other);
    const id = await openOne(theirs);
    const stopped: string[] = [];
    theirs.log.onCancel((executionId) => stopped.push(executionId) > 0);
    const context = new CallContext({ ...draftOf(theirs.clock.now()), executionId: id, recorded: true });
    theirs.calls.add(context);
    await theirs.cancellation.look();
    expect(stopped).toEqual([]);
    await fixture.cancellation.cancel(id);
    await theirs.cancellation.look();
    expect(stopped).toEqual([id]);
    // One that has nothing under way does not ask.
    theirs.calls.remove(context);
    await theirs.cancellation.look();
    expect(stopped).toEqual([id]);
    await other.close({ keep: true });
  });

  rule('says that a cancelled execution had ended, or waits no more', async (fixture) => {
    const { gate, log, clock, cancellation, archive } = fixture;
    const done = await openOne(fixture);
    await gate.write((tx) => log.settle(tx, done, succeededAt(clock.now())));
    expect(await cancellation.cancel(done)).toEqual({ id: done, status: 'succeeded', cancelled: false });
    const waits = await openOne(fixture);
    await gate.write((tx) => log.settle(tx, waits, succeededAt(clock.now(), { status: 'waiting' })));
    expect(await cancellation.cancel(waits)).toEqual({ id: waits, status: 'aborted', cancelled: true });
    expect(await archive.get(waits)).toMatchObject({ status: 'aborted', code: 'cancelled' });
    await expect(cancellation.cancel('nothing')).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  rule('shows the live feed what begins and ends, also in another process', async (fixture) => {
    const other = await openTestDatabase(kind, { place: fixture.database.place });
    await openOne(fixture);
    const seen: string[] = [];
    const leave = fixture.feed.watch((record) => seen.push(`${record.id} ${record.status}`));
    await fixture.feed.ready();
    const theirs = await openOne(executionsOn(other));
    const mine = await openOne(fixture);
    await eventually(() => seen.length >= 2);
    await fixture.gate.write((tx) => fixture.log.settle(tx, mine, succeededAt(fixture.clock.now())));
    await eventually(() => seen.length >= 3);
    leave();
    await other.close({ keep: true });
    expect(seen.slice(0, 2).sort()).toEqual([`${theirs} running`, `${mine} running`].sort());
    expect(seen.slice(2)).toEqual([`${mine} succeeded`]);
  });
});
