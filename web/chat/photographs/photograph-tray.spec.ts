import { Refused, Unreachable } from '../../common/answer.js';
import { Kept } from '../../common/kept.js';
import { type Carrier, PhotographTray } from './photograph-tray.js';
import type { Thumbnails } from './thumbnails.js';

const picture = (name: string) => new File(['x'], name, { type: 'image/jpeg' });
const thumbnails = { make: () => undefined, forget: () => undefined } as unknown as Thumbnails;

function memory(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  } as unknown as Storage;
}

const refused = (status: number) =>
  new Refused({ status, code: '', sentence: `Refused with ${status}.`, paths: [] });

function trayOf(carry: Carrier, storage = memory()): PhotographTray {
  const tray = new PhotographTray(carry, thumbnails, new Kept(() => storage, ''), [0, 0]);
  tray.limits = { most: 5, largestBytes: 1_000 };
  return tray;
}

const journeys = (tray: PhotographTray) => tray.snapshot().photographs.map(({ journey }) => journey.at);
/** So many turns of the loop that whatever only waits for its turn has come to rest, however slow the machine is. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
};

describe('the photographs beside a message', () => {
  it('are carried two at a time, in their order', async () => {
    const under: string[] = [];
    const done: (() => void)[] = [];
    const tray = trayOf(
      ({ name }) => new Promise((resolve) => (under.push(name), done.push(() => resolve(`issued-${name}`)))),
    );
    tray.add(['a', 'b', 'c'].map((name) => picture(`${name}.jpg`)));
    expect([under, journeys(tray)]).toEqual([
      ['a.jpg', 'b.jpg'],
      ['sending', 'sending', 'waiting'],
    ]);
    done[1]!();
    await settled();
    expect([under.at(-1), journeys(tray)]).toEqual(['c.jpg', ['sending', 'there', 'sending']]);
  });

  it('try again by themselves when the connection is lost, and stay where it is lost for good', async () => {
    let calls = 0;
    const tray = trayOf(({ name }) => {
      calls++;
      return name === 'a.jpg' && calls > 2 ? Promise.resolve('a') : Promise.reject(new Unreachable());
    });
    tray.add([picture('a.jpg')]);
    await settled();
    expect([calls, journeys(tray)]).toEqual([3, ['there']]);
    tray.add([picture('b.jpg')]);
    await settled();
    expect([calls, journeys(tray)]).toEqual([6, ['there', 'failed']]);
    tray.retryAll();
    expect(journeys(tray)).toEqual(['there', 'sending']);
  });

  it.each([
    [429, true],
    [503, true],
    [401, true],
    [400, false],
    [413, false],
    [415, false],
  ])('that are refused with %s may be sent again: %s', async (status, again) => {
    let calls = 0;
    const tray = trayOf(() => (calls++, Promise.reject(refused(status))));
    tray.add([picture('a.jpg')]);
    await settled();
    expect(tray.snapshot().photographs[0]!.journey).toMatchObject({ at: 'failed', again });
    tray.retryAll();
    await settled();
    expect(calls).toBe(again ? 2 : 1);
  });

  it('that are taken out are not carried on, and make room for the next', async () => {
    const under: AbortSignal[] = [];
    const tray = trayOf((_, signal) => {
      under.push(signal);
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Unreachable())),
      );
    });
    tray.add(['a', 'b', 'c'].map((name) => picture(`${name}.jpg`)));
    tray.remove(tray.snapshot().photographs[0]!.id);
    await settled();
    expect(under.map(({ aborted }) => aborted)).toEqual([true, false, false]);
    expect(tray.snapshot().photographs.map(({ name }) => name)).toEqual(['b.jpg', 'c.jpg']);
    tray.clear();
    await settled();
    expect([under.every(({ aborted }) => aborted), journeys(tray)]).toEqual([true, []]);
  });

  it('that have arrived outlive the page, until they are given away', async () => {
    const storage = memory();
    const tray = trayOf(
      ({ name }) => (name === 'a.jpg' ? Promise.resolve('issued') : Promise.reject(refused(413))),
      storage,
    );
    tray.add([picture('a.jpg'), picture('b.jpg')]);
    await settled();
    const later = trayOf(() => Promise.reject(refused(413)), storage);
    expect(later.snapshot().photographs).toMatchObject([
      { name: 'a.jpg', journey: { at: 'there', issued: 'issued' } },
    ]);
    expect(later.take()).toHaveLength(1);
    expect(trayOf(() => Promise.reject(refused(413)), storage).snapshot().photographs).toEqual([]);
  });

  it('are left out where the flow takes none', () => {
    const tray = trayOf(() => Promise.resolve(''));
    tray.limits = { most: 0, largestBytes: 0 };
    tray.add([picture('a.jpg')]);
    expect(tray.snapshot()).toEqual({ photographs: [], complaint: 'This chat takes no photographs.' });
  });
});
