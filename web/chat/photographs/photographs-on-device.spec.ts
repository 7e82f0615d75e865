import { StorageRefused } from '../device/device-database.js';
import type { Carrier } from './carry-patiently.js';
import { FakeStore, memory, picture, refuses, settled, trayOf } from './tray.fixture.js';

describe('photographs on the device', () => {
  it('survive a reload, uploaded or not, until they are sent', async () => {
    const surroundings = { storage: memory(), store: new FakeStore() };
    const first: Carrier = ({ name }) =>
      name === 'a.jpg' ? Promise.resolve('issued-a') : new Promise(() => undefined);
    const tray = trayOf(first, surroundings);
    tray.add([picture('a.jpg'), picture('b.jpg')]);
    await settled();
    const later = trayOf(({ name }) => Promise.resolve(`later-${name}`), surroundings);
    await later.restore();
    await settled();
    expect(later.snapshot().photographs).toMatchObject([
      { name: 'a.jpg', onDevice: true, journey: { at: 'there', issued: 'issued-a' } },
      { name: 'b.jpg', onDevice: true, journey: { at: 'there', issued: 'later-b.jpg' } },
    ]);
    const given = await later.take('message');
    expect([given.length, surroundings.store.files.size]).toEqual([2, 2]);
    later.acknowledged(given.map(({ id }) => id));
    await settled();
    expect([surroundings.store.files.size, surroundings.store.records.size]).toEqual([0, 0]);
  });

  it('are sent with the message of one tab only', async () => {
    const store = new FakeStore();
    const carry: Carrier = ({ name }) => Promise.resolve(name);
    const [one, other] = [trayOf(carry, { store }), trayOf(carry, { store })];
    one.add([picture('a.jpg')]);
    await settled();
    await other.restore();
    await settled();
    const taken = await Promise.all([one.take('message'), other.take('message')]);
    expect(taken.map(({ length }) => length).sort()).toEqual([0, 1]);
  });

  it.each([
    ['answered', 0, ''],
    ['pending', 0, ''],
    ['unknown', 1, 'Photos from an earlier message may not have been recorded.'],
  ] as const)('of a message whose fate is %s are restored: %s', async (fate, count, complaint) => {
    const store = new FakeStore();
    const tray = trayOf(({ name }) => Promise.resolve(name), { store });
    tray.add([picture('a.jpg')]);
    await settled();
    await tray.take('message');
    const later = trayOf(refuses, { store, fate });
    await later.restore();
    expect(later.snapshot().photographs).toHaveLength(count);
    expect(later.snapshot().complaint).toContain(complaint);
    expect(store.files.size).toBe(fate === 'answered' ? 0 : 1);
  });

  it('that the service has lost are uploaded again with the next message', async () => {
    let calls = 0;
    const store = new FakeStore();
    const tray = trayOf(() => Promise.resolve(`issued-${++calls}`), { store });
    tray.add([picture('a.jpg')]);
    await settled();
    const [given] = await tray.take('message');
    await tray.giveBack([given!.id], true);
    await settled();
    expect(tray.snapshot().photographs).toMatchObject([
      { id: given!.id, journey: { at: 'there', issued: 'issued-2' } },
    ]);
  });

  it('that cannot be restored are named', async () => {
    const surroundings = { storage: memory(), store: new FakeStore() };
    const tray = trayOf(() => new Promise(() => undefined), surroundings);
    tray.add(['a.jpg', 'b.jpg', 'c.jpg'].map(picture));
    await settled();
    const [a, b] = [...surroundings.store.records.keys()];
    surroundings.store.records.delete(a!);
    surroundings.store.files.delete(b!);
    const later = trayOf(() => new Promise(() => undefined), surroundings);
    await later.restore();
    const namesIn = (list: readonly { name: string }[]) => list.map(({ name }) => name);
    expect(namesIn(later.snapshot().lost)).toEqual(['a.jpg', 'b.jpg']);
    expect(namesIn(later.snapshot().photographs)).toEqual(['c.jpg']);
    const again = trayOf(() => new Promise(() => undefined), surroundings);
    await again.restore();
    expect(namesIn(again.snapshot().lost).sort()).toEqual(['a.jpg', 'b.jpg']);
    again.dismissLost();
    await settled();
    const last = trayOf(() => new Promise(() => undefined), surroundings);
    await last.restore();
    expect(last.snapshot().lost).toEqual([]);
    expect(namesIn(last.snapshot().photographs)).toEqual(['c.jpg']);
  });

  it('are named even if the tab ended before any bytes were stored', async () => {
    const surroundings = { storage: memory(), store: new FakeStore() };
    surroundings.store.keep = () => new Promise(() => undefined);
    trayOf(refuses, surroundings).add(['a.jpg', 'b.jpg'].map(picture));
    await settled();
    // Another list: the page's own had not reached the disk.
    const later = trayOf(refuses, { store: surroundings.store });
    await later.restore();
    expect(later.snapshot().lost.map(({ name }) => name)).toEqual(['a.jpg', 'b.jpg']);
  });

  it('are in the order in which they were chosen, although the clock was set back a day', async () => {
    const surroundings = { storage: memory(), store: new FakeStore() };
    const clock = jest.spyOn(Date, 'now').mockReturnValue(2 * 86_400_000);
    trayOf(refuses, surroundings).add(['a.jpg', 'b.jpg'].map(picture));
    await settled();
    clock.mockReturnValue(86_400_000);
    const later = trayOf(refuses, surroundings);
    await later.restore();
    later.add([picture('c.jpg')]);
    await settled();
    clock.mockRestore();
    const places = [...surroundings.store.records.values()].map(({ name, place }) => [place, name] as const);
    expect(places.sort(([one], [other]) => one - other).map(([, name]) => name)).toEqual([
      'a.jpg',
      'b.jpg',
      'c.jpg',
    ]);
  });

  it('that do not fit on it are sent all the same, and uploaded ones survive a reload', async () => {
    const surroundings = { storage: memory(), store: new FakeStore() };
    surroundings.store.full = true;
    const tray = trayOf(
      ({ name }) => (name === 'a.jpg' ? Promise.resolve(name) : new Promise(() => undefined)),
      surroundings,
    );
    tray.add([picture('a.jpg'), picture('b.jpg')]);
    await settled();
    expect(tray.snapshot()).toMatchObject({
      refusal: 'full',
      photographs: [{ onDevice: false, journey: { at: 'there' } }, {}],
    });
    const later = trayOf(refuses, surroundings);
    await later.restore();
    expect(later.snapshot().photographs).toMatchObject([{ name: 'a.jpg', journey: { at: 'there' } }]);
    expect(later.snapshot().lost).toMatchObject([{ name: 'b.jpg' }]);
  });

  it('of a waiting message whose bytes did not fit on it hold the message after a reload', async () => {
    const store = new FakeStore();
    store.keep = () => Promise.reject(new StorageRefused('full'));
    const tray = trayOf(() => new Promise(() => undefined), { store });
    tray.add([picture('a.jpg')]);
    await settled();
    const [given] = await tray.take('message');
    const later = trayOf(({ name }) => Promise.resolve(name), { store });
    await later.hold([{ ...given!, message: 'message' }]);
    await settled();
    expect(later.snapshot().held).toMatchObject([{ name: 'a.jpg', journey: { at: 'failed', again: false } }]);
  });

  it.each([
    ['beside the message', 'find'],
    ['beside the message', 'file'],
    ['of a waiting message', 'find'],
    ['of a waiting message', 'file'],
  ] as const)('%s are read again after the device refused a read (%s)', async (place, read) => {
    const surroundings = { store: new FakeStore(), waits: [1] };
    const tray = trayOf(() => new Promise(() => undefined), surroundings);
    tray.add([picture('a.jpg')]);
    await settled();
    const isHeld = place === 'of a waiting message';
    const given = isHeld ? await tray.take('message') : [];
    const refused = jest.spyOn(surroundings.store, read);
    for (let refusals = 0; refusals < 2; refusals++)
      refused.mockRejectedValueOnce(new StorageRefused('forbidden'));
    const later = trayOf(({ name }) => Promise.resolve(name), surroundings);
    if (isHeld) await later.hold(given.map((one) => ({ ...one, message: 'message' })));
    else await later.refresh();
    await settled();
    const { photographs, held } = later.snapshot();
    expect(isHeld ? held : photographs).toMatchObject([{ name: 'a.jpg', journey: { at: 'there' } }]);
  });
});
