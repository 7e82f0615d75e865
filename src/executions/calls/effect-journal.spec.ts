import { databases } from '../../../test/support/databases.js';
import { fixtureOn } from '../../../test/support/fixture-on.js';
import {
  draftOf,
  openTestExecutions,
  succeededAt,
  type TestExecutions,
} from '../../../test/support/test-executions.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { deleteExecutions } from '../read/execution-archive.js';
import { EffectJournal } from './effect-journal.js';

describe.each(databases)('the journal of runs on %s', (kind) => {
  let journal: EffectJournal;
  let runs = 0;
  const { rule } = fixtureOn(kind, async () => {
    const opened = await openTestExecutions(kind);
    const { gate, reader, clock, database } = opened;
    journal = new EffectJournal(gate, reader, clock, await Secrets.open(database.config, database.logger));
    return opened;
  });

  const begun = async ({ gate, log }: TestExecutions) => {
    const executionId = `run-${++runs}`;
    await gate.write((tx) => log.open(tx, { ...draftOf(1), id: executionId }));
    const own = { runId: executionId, executionId, attempt: 1, revision: 'r1', isResumed: true };
    return { own, kept: journal.openFor(own) };
  };
  const interrupt = ({ gate, log }: TestExecutions, executionId: string) =>
    gate.write((tx) =>
      log.settle(tx, executionId, { ...succeededAt(2), status: 'failed', code: 'interrupted' }),
    );

  rule('tells an effect that was begun from one whose result is known, whole', async (own) => {
    const { kept } = await begun(own);
    const place = kept.place('ask#1/http');
    expect(await kept.find(place, 'run')).toBeUndefined();
    await kept.begin(place, 'http');
    expect(await kept.find(place, 'run')).toBe('begun');
    const result = { status: 200, body: 'é\u{1F600}'.repeat(10_000) };
    await kept.store(place, 'http', result);
    expect(await kept.find(place, 'run')).toEqual({ result });
  });

  rule('is readable by nobody who has the database alone', async (own) => {
    const { kept } = await begun(own);
    await kept.store(kept.place('a#1/http'), 'http', { secret: 'sesame-open' });
    const rows = await own.reader.all('SELECT * FROM effects');
    expect(JSON.stringify(rows)).not.toContain('sesame');
  });

  rule('asks a model anew once its flow was changed, and nothing else', async (own) => {
    const { own: run, kept } = await begun(own);
    for (const name of ['model', 'http']) await kept.store(kept.place(`n#1/${name}`), name, name);
    const changed = journal.openFor({ ...run, revision: 'r2' });
    expect(await changed.find(changed.place('n#1/model'), 'flow revision')).toBeUndefined();
    expect(await changed.find(changed.place('n#1/http'), 'run')).toEqual({ result: 'http' });
  });

  rule('grants nothing and keeps nothing once the run was interrupted', async (own) => {
    const { own: run, kept } = await begun(own);
    const place = kept.place('a#1/http');
    await kept.begin(place, 'http');
    await interrupt(own, run.executionId);
    await expect(kept.store(place, 'http', 1)).rejects.toMatchObject({ code: 'overloaded' });
    await expect(kept.begin(kept.place('b#1/http'), 'http')).rejects.toMatchObject({ code: 'overloaded' });
    const write = own.gate.write((tx) => journal.write(tx, kept.place('c#1/capture'), 'capture', 1));
    await expect(write).rejects.toMatchObject({ code: 'overloaded' });
    expect(await own.reader.all('SELECT path FROM effects WHERE run_id = ?', [run.runId])).toHaveLength(1);
    expect(await kept.find(place, 'run')).toBe('begun');
  });

  rule('grants nothing to an attempt that another one has followed', async (own) => {
    const { own: run, kept } = await begun(own);
    await own.gate.write((tx) => tx.run('UPDATE executions SET attempt = 2 WHERE id = ?', [run.executionId]));
    await expect(kept.begin(kept.place('a#1/http'), 'http')).rejects.toMatchObject({ status: 503 });
    const next = journal.openFor({ ...run, attempt: 2 });
    await next.begin(next.place('a#1/http'), 'http');
  });

  rule('stops one of a group alone', async (own) => {
    const [first, second] = [await begun(own), await begun(own)];
    await interrupt(own, first.own.executionId);
    const outcomes = await Promise.allSettled(
      [first, second].map(({ kept }) => kept.begin(kept.place('a#1/http'), 'http')),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  rule('writes an effect inside the database once', async (own) => {
    const { kept } = await begun(own);
    const place = kept.place('c#1/capture');
    const write = () => own.gate.write((tx) => journal.write(tx, place, 'capture', { recorded: 1 }));
    await write();
    await expect(write()).rejects.toThrow();
    expect(await kept.find(place, 'run')).toEqual({ result: { recorded: 1 } });
  });

  rule('names an effect to the other side without naming the execution', async (own) => {
    const { own: run, kept } = await begun(own);
    const [one, other] = ['a#1/http', 'a#2/http'].map((path) => kept.idempotencyKey(kept.place(path)));
    expect(one).toMatch(/^[\w-]{43}$/);
    expect(one).not.toBe(other);
    expect(one).not.toContain(run.executionId);
  });

  rule('goes with the last record of its run', async (own) => {
    const { own: run, kept } = await begun(own);
    await kept.store(kept.place('a#1/http'), 'http', 1);
    await interrupt(own, run.executionId);
    const retry = `${run.executionId}-retry`;
    await own.gate.write(async (tx) => {
      await own.log.open(tx, { ...draftOf(1), id: retry, retryOf: run.executionId, runId: run.runId });
      await own.log.settle(tx, retry, succeededAt(3));
    });
    const left = () => own.reader.all('SELECT path FROM effects WHERE run_id = ?', [run.runId]);
    await deleteRecord(own, run.executionId);
    expect(await left()).toHaveLength(1);
    await deleteRecord(own, retry);
    expect(await left()).toEqual([]);
  });
});

const deleteRecord = ({ gate }: TestExecutions, id: string) => gate.write((tx) => deleteExecutions(tx, [id]));
