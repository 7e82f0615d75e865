import { Unreachable } from '../../common/answer.js';
import type { Carrier } from './carry-patiently.js';
import type { PhotographTray } from './photograph-tray.js';
import { picture, refused, refuses, settled, trayOf } from './tray.fixture.js';

const journeys = (tray: PhotographTray) => tray.snapshot().photographs.map(({ journey }) => journey.at);
describe('the photographs beside a message', () => {
  it('are uploaded two at a time, in their order', async () => {
    const under: string[] = [];
    const done: (() => void)[] = [];
    const tray = trayOf(
      ({ name }) => new Promise((resolve) => (under.push(name), done.push(() => resolve(`issued-${name}`)))),
    );
    tray.add(['a', 'b', 'c'].map((name) => picture(`${name}.jpg`)));
    await settled();
    expect([under, journeys(tray)]).toEqual([
      ['a.jpg', 'b.jpg'],
      ['sending', 'sending', 'waiting'],
    ]);
    done[1]!();
    await settled();
    expect([under.at(-1), journeys(tray)]).toEqual(['c.jpg', ['sending', 'there', 'sending']]);
  });

  it('are retried when the connection is lost, and stay when it does not come back', async () => {
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
    expect(journeys(tray)[1]).toBe('waiting');
    await settled();
  });

  it('are retried with growing delays until the service is back', async () => {
    let calls = 0;
    const carry: Carrier = () => (++calls < 10 ? Promise.reject(new Unreachable()) : Promise.resolve('a'));
    const tray = trayOf(carry, { waits: [1, 1] });
    tray.add([picture('a.jpg')]);
    await settled();
    expect([calls, journeys(tray)]).toEqual([10, ['there']]);
  });

  it.each([
    [429, true],
    [408, true],
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

  it('that are removed stop uploading, and the next one starts', async () => {
    const under: AbortSignal[] = [];
    const tray = trayOf((_, signal) => {
      under.push(signal);
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Unreachable())),
      );
    });
    tray.add(['a', 'b', 'c'].map((name) => picture(`${name}.jpg`)));
    await settled();
    tray.remove(tray.snapshot().photographs[0]!.id);
    await settled();
    expect(under.map(({ aborted }) => aborted)).toEqual([true, false, false]);
    expect(tray.snapshot().photographs.map(({ name }) => name)).toEqual(['b.jpg', 'c.jpg']);
    tray.clear();
    await settled();
    expect([under.every(({ aborted }) => aborted), journeys(tray)]).toEqual([true, []]);
  });

  it('are left out when the flow accepts none', () => {
    const tray = trayOf(() => Promise.resolve(''));
    tray.limits = { most: 0, largestBytes: 0 };
    tray.add([picture('a.jpg')]);
    expect(tray.snapshot()).toMatchObject({
      complaint: 'This chat does not accept photos.',
      photographs: [],
    });
  });

  it('that are left out are named with the reason', () => {
    const tray = trayOf(refuses);
    tray.add([picture('a.jpg'), new File(['x'], 'b.txt'), new File([], 'c.png'), new File(['x'], 'd.pdf')]);
    expect(tray.refusedFiles.snapshot().map(({ name, sentence }) => [name, sentence.split('.')[0]])).toEqual([
      ['b.txt', 'Only photos can be sent'],
      ['c.png', 'The file is empty'],
      ['d.pdf', 'Only photos can be sent'],
    ]);
  });
});
