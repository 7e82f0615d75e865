import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { edges, ending, node, run, start } from '../../../test/fixtures/flows/engine-kinds.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function runTooLarge() {
  const state = { log: 'x'.repeat(100 * 1024 * 1024) };
  const events = await run([start, node('a', 'quiet', { text: 'x' })], edges('start>a'), { state });
  return { failed: ending(events), state: new WeakRef(state) };
}

it('a refused run lets go of its state, however long its failure is kept', async () => {
  const { failed, state } = await runTooLarge();
  await nextTurn();
  collect();
  expect(state.deref()).toBeUndefined();
  expect(failed).toMatchObject({ type: 'failed', failure: { cause: { code: 'quota_exceeded' } } });
});
