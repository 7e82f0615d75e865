import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { timeLimit } from './time-limit.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it('a time limit fires beside other signals, however much was collected meanwhile', async () => {
  const reasons: unknown[] = [];
  for (let index = 0; index < 50; index++) {
    const signal = AbortSignal.any([new AbortController().signal, timeLimit(100)]);
    signal.addEventListener('abort', () => reasons.push((signal.reason as Error).name));
  }
  for (let round = 0; round < 3; round++) {
    collect();
    await wait(20);
  }
  await wait(200);
  expect(reasons).toEqual(Array(50).fill('TimeoutError'));
});
