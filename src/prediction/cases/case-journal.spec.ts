import { NotRecorded } from '../../flows/engine/journal.js';
import { CaseJournal, liveJournal } from './case-journal.js';

const recorded = [
  { path: 'ask#1/model', result: { text: 'Hello' } },
  { path: 'ask#2/model', result: { text: 'Again' } },
  { path: 'save#1/capture', result: { recorded: [] } },
  { path: 'sub#1/flow/inner#1/model@old-revision', result: { text: 'Within' } },
];
const journal = () => new CaseJournal('run', recorded);

describe('the journal of a case', () => {
  it('answers by the path of the node with its visit, whatever the revision of a sub-flow', async () => {
    const one = journal();
    expect(await one.find(one.place('ask#2/model'))).toEqual({ result: { text: 'Again' } });
    expect(await one.find(one.place('sub#1/flow/inner#1/model@new'))).toEqual({
      result: { text: 'Within' },
    });
    expect(one.unused()).toEqual(['"model" of "ask#1"', '"capture" of "save#1"']);
  });

  it('refuses a call that was not recorded, and names it', async () => {
    const one = journal();
    const missing = one.find(one.place('ask#3/model'));
    await expect(missing).rejects.toBeInstanceOf(NotRecorded);
    await expect(missing).rejects.toThrow('"model" of "ask#3"');
  });

  it('lets a sub-flow run whose calls alone are recorded', async () => {
    const one = journal();
    expect(await one.find(one.place('sub#1/flow'))).toBeUndefined();
  });

  it('makes every live call, under one key for each path that does not show it', async () => {
    const live = liveJournal('run');
    const [ask, capture] = [live.place('ask#1/model'), live.place('save#1/capture')];
    expect(await live.find(ask, 'flow revision')).toBeUndefined();
    expect(await live.find(capture, 'run')).toBeUndefined();
    expect(live.idempotencyKey(ask)).toBe(journal().idempotencyKey(ask));
    expect(live.idempotencyKey(ask)).toMatch(/^[\w-]{43}$/);
    expect(live.idempotencyKey(ask)).not.toBe(live.idempotencyKey(capture));
  });
});
