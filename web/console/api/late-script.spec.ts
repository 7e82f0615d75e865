import { LateScripts } from './late-script.js';

/** Scripts with a scripted service: one answer per check. Pauses pass at once and are recorded. */
function around(...answers: boolean[]) {
  const pauses: number[] = [];
  const scripts = new LateScripts({
    answers: () => Promise.resolve(answers.shift() ?? true),
    prepare: () => Promise.resolve(),
    pause: (ms) => (pauses.push(ms), Promise.resolve()),
  });
  return { scripts, pauses };
}

/** Fails this many times, then arrives. */
function loading(failures: number) {
  let left = failures;
  return jest.fn(() =>
    left-- > 0
      ? Promise.reject(new Error('Failed to fetch dynamically imported module'))
      : Promise.resolve('module'),
  );
}

it('a script that arrives is waited for by nobody', async () => {
  const { scripts, pauses } = around();
  await expect(scripts.arrived(loading(0))).resolves.toBe('module');
  expect(pauses).toEqual([]);
});

it('a script that was expected is known once it has arrived', async () => {
  const { scripts, pauses } = around();
  const [early, late, lost] = [loading(0), loading(0), loading(1)];
  for (const load of [early, lost]) scripts.expect(load);
  expect(scripts.known(early)).toBeUndefined();
  await scripts.arrived(late);
  expect([early, late, lost].map((load) => scripts.known(load))).toEqual(['module', 'module', undefined]);
  expect(pauses).toEqual([]);
});

it('while the service is away it waits longer and longer, and asks for the script when it is back', async () => {
  const { scripts, pauses } = around(...Array<boolean>(7).fill(false));
  const load = loading(1);
  await expect(scripts.arrived(load)).resolves.toBe('module');
  expect(load).toHaveBeenCalledTimes(2);
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
});

it('says so as long as a script is late', async () => {
  const { scripts } = around(false);
  const states: boolean[] = [];
  scripts.subscribe(() => states.push(scripts.snapshot()));
  await scripts.arrived(loading(2));
  expect(states).toEqual([true, false]);
});

it('gives up a script that the service, though it answers, does not bring', async () => {
  const { scripts } = around(false, true, false, true, true, true);
  const load = loading(Infinity);
  await expect(scripts.arrived(load)).rejects.toThrow('Failed to fetch');
  expect(load).toHaveBeenCalledTimes(4);
  expect(scripts.snapshot()).toBe(false);
});

it('does not run a script without its styles', async () => {
  const prepare = jest.fn().mockRejectedValueOnce(new Error('no style')).mockResolvedValue(undefined);
  const load = loading(1);
  const scripts = new LateScripts({
    answers: () => Promise.resolve(true),
    prepare,
    pause: () => Promise.resolve(),
  });
  await expect(scripts.arrived(load)).resolves.toBe('module');
  expect(prepare).toHaveBeenCalledTimes(2);
  expect(load).toHaveBeenCalledTimes(2);
});
