import type { CaseResult } from '../../api/cases.js';
import { Clock } from '../../common/clock.js';
import type { Logger } from '../../common/logger.js';
import type { Flow } from '../../flows/definition/flow.js';
import type { CaseRunStore } from './case-run-store.js';
import { CaseRunner } from './case-runner.js';
import type { CaseStore } from './case-store.js';
import type { CaseEntity } from './case.entity.js';

describe('a case that a fault of the service fails', () => {
  it('is stored as failed, and the cause is in the log as its result says', async () => {
    const fault = new Error('the recording was sealed with another key');
    const [stored, logged]: [CaseResult[], unknown[]] = [[], []];
    const store = { load: () => Promise.reject(fault) } as unknown as CaseStore;
    const finish = (_run: string, _position: number, result: CaseResult) =>
      Promise.resolve(stored.push(result) > 0);
    const runs = { finish } as unknown as CaseRunStore;
    const logger = { error: (fields: unknown) => logged.push(fields) } as unknown as Logger;
    const [none, item] = [undefined as never, { id: 'c', name: 'Greets', bytes: 0 } as CaseEntity];
    const runner = new CaseRunner(store, none, none, none, runs, new Clock(), logger);
    const context = {
      runId: 'r',
      flow: { id: 'f' } as Flow,
      publicUrl: '',
      signal: new AbortController().signal,
    };

    await runner.run({ case: item, calls: 'recorded' }, 0, context);
    expect(stored).toMatchObject([{ caseId: 'c', passed: false, code: 'internal_error' }]);
    expect(stored[0]!.error).toContain('The log of the service says why');
    expect(logged).toEqual([{ err: fault, runId: 'r', caseId: 'c' }]);
  });
});
