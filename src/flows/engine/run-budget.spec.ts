import { QuotaExceeded } from '../../common/budgets/budget.js';
import { Overloaded } from '../../common/service-error.js';
import type { Json } from './json.js';
import { RunBudget } from './run-budget.js';

const MEGABYTE = 1024 * 1024;
const text = (megabytes: number): Json => 'x'.repeat(megabytes * MEGABYTE);

describe('what runs hold', () => {
  let runs: RunBudget[];
  let callers = 0;
  /** A run of this caller, else of one that has no other run. */
  const runOf = (flowId: string, caller = `caller ${callers++}`): RunBudget => {
    const run = new RunBudget({ flowId, caller });
    runs.push(run);
    return run;
  };

  beforeEach(() => (runs = []));
  afterEach(() => runs.forEach((run) => run.end()));

  it('is bounded for one flow, and given back when a run ends', () => {
    for (const _ of [1, 2]) runOf('one').countOutput(text(63));
    const third = runOf('one');
    third.countOutput(text(63));
    expect(() => runOf('one').countOutput(text(10))).toThrow(QuotaExceeded);
    runOf('other').countOutput(text(10));
    third.end();
    runOf('one').countOutput(text(10));
  });

  it('is bounded for one caller, who leaves a part of the flow to the others', () => {
    runOf('one', 'busy').countOutput(text(63));
    expect(() => runOf('one', 'busy').countOutput(text(40))).toThrow(/key or address/);
    expect(() => runOf('other', 'busy').countOutput(text(40))).toThrow(/key or address/);
    runOf('one').countOutput(text(63));
    runOf('one', 'busy').countOutput('x'.repeat(10_000));
  });

  it('is bounded for all flows together', () => {
    for (const flow of ['a', 'b', 'c', 'd']) runOf(flow).countOutput(text(63));
    expect(() => runOf('e').countOutput(text(10))).toThrow(Overloaded);
    // An ordinary run is served all the same.
    runOf('e').countOutput('x'.repeat(10_000));
  });

  it('counts values by the memory that they take, not by their text', () => {
    const wide = Array.from({ length: 100_000 }, () => []);
    const run = runOf('wide');
    for (let node = 0; node < 20; node++) run.countOutput(wide);
    expect(() => run.countOutput(wide)).toThrow(/larger than 64 MB/);
  });

  it('counts the state of a chat, and the most messages that a node loads', async () => {
    for (const _ of [1, 2]) runOf('chats').countState({ log: text(85) });
    const run = runOf('chats');
    const history = async () => [{ role: 'user' as const, content: text(20) as string }];
    const counted = run.counting(history);
    for (let node = 0; node < 5; node++) expect(await counted()).toHaveLength(1);
    await expect(runOf('chats').counting(history)()).rejects.toThrow(QuotaExceeded);
  });

  it('does not charge nodes that end after their run', () => {
    const run = runOf('late');
    run.end();
    for (let node = 0; node < 3; node++) runOf('late').countOutput(text(40));
    run.countOutput(text(40));
    run.end();
  });
});
