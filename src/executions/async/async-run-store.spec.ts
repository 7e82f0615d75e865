import { databases } from '../../../test/support/databases.js';
import { fixtureOn } from '../../../test/support/fixture-on.js';
import { StoppedClock } from '../../../test/support/stopped-clock.js';
import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { draftOf, executionsOn, openTestExecutions } from '../../../test/support/test-executions.js';
import { asyncRunsKey } from '../../database/writes/write-keys.js';
import type { Caller } from '../execution.js';
import { AsyncRunStore } from './async-run-store.js';

describe.each(databases)('unfinished async runs on %s', (kind) => {
  const env = { MAX_ASYNC_RUNS: '8' };
  const { rule } = fixtureOn(kind, () => openTestExecutions(kind, { env }), { perTest: true });

  /** Opens runs as one process does; resolves to `ok` or the code of the refusal. */
  const opener = (database: TestDatabase) => {
    const { log, gate, reader } = executionsOn(database);
    const store = new AsyncRunStore(reader, new StoppedClock(), database.config);
    return async (flowId: string, caller: Caller, resumes?: string): Promise<string> => {
      const click = resumes === undefined ? {} : { resumes };
      const draft = draftOf(1_000, { flowId, caller, outlivesProcess: true, ...click });
      const run = {
        executionId: draft.id,
        flowId,
        caller,
        token: draft.id,
        requestKey: draft.id,
        awaited: resumes !== undefined,
      };
      return gate
        .write(
          async (tx) => {
            await log.open(tx, draft);
            await store.add(tx, run);
            return 'ok';
          },
          [asyncRunsKey],
        )
        .catch((error: { code: string }) => error.code);
    };
  };
  const counted = (answers: readonly string[], answer: string) =>
    answers.filter((one) => one === answer).length;

  rule('give a caller a quarter, a flow half and all callers the whole, over processes', async (fixture) => {
    const other = await openTestDatabase(kind, { place: fixture.database.place, env });
    const openers = [opener(fixture.database), opener(other)];
    const each = (count: number, open: (index: number) => [string, Caller]) =>
      Promise.all(Array.from({ length: count }, (_, index) => openers[index % 2]!(...open(index))));
    try {
      const ofOne = await each(10, () => ['slow', { address: '10.0.0.1' }]);
      expect([counted(ofOne, 'ok'), counted(ofOne, 'quota_exceeded')]).toEqual([2, 8]);
      const ofKey = await each(10, (index) => ['slow', { address: `10.1.0.${index}`, apiKeyId: 'key' }]);
      expect([counted(ofKey, 'ok'), counted(ofKey, 'quota_exceeded')]).toEqual([2, 8]);
      expect(await each(3, (index) => ['slow', { address: `10.2.0.${index}` }])).toEqual(
        Array(3).fill('quota_exceeded'),
      );
      const others = await each(8, (index) => ['other', { address: `10.3.0.${index}` }]);
      expect([counted(others, 'ok'), counted(others, 'overloaded')]).toEqual([4, 4]);
    } finally {
      await other.close({ keep: true });
    }
  });

  rule('leave out the clicks of humans, which only resume runs', async ({ database }) => {
    const open = opener(database);
    const caller = { address: '10.0.0.1' };
    for (let click = 0; click < 9; click++) expect(await open('asking', caller, `first-${click}`)).toBe('ok');
    expect(await open('asking', caller)).toBe('ok');
    expect(await open('asking', caller)).toBe('ok');
    expect(await open('asking', caller)).toBe('quota_exceeded');
  });
});
