import { BrowserStorage } from '../../common/browser-storage.js';
import { AdminKey, NoAdminKey } from './admin-key.js';

class Shelf implements Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  readonly items = new Map<string, string>();
  getItem = (name: string) => this.items.get(name) ?? null;
  setItem = (name: string, value: string) => void this.items.set(name, value);
  removeItem = (name: string) => void this.items.delete(name);
}

describe('the admin key', () => {
  let tab: Shelf;
  let device: Shelf;
  const begin = () =>
    new AdminKey(
      new BrowserStorage(() => tab as unknown as Storage, ''),
      new BrowserStorage(() => device as unknown as Storage, ''),
    );

  beforeEach(() => {
    tab = new Shelf();
    device = new Shelf();
  });

  it('is requested once, however many calls wait for it', async () => {
    const adminKey = begin();
    const states: boolean[] = [];
    adminKey.subscribe(() => states.push(adminKey.snapshot().isRequested));
    const calls = [adminKey.wanted(), adminKey.wanted()];
    adminKey.give('ak', 'tab');
    expect(await Promise.all(calls)).toEqual(['ak', 'ak']);
    expect(states).toEqual([true, false]);
    expect([tab.items.size, device.items.size]).toEqual([1, 0]);
  });

  it('is stored where the person chose, until it is removed', () => {
    begin().give('ak', 'device');
    const later = begin();
    expect(later.snapshot().key).toBe('ak');
    expect([tab.items.size, device.items.size]).toEqual([0, 1]);
    later.forget();
    expect(begin().snapshot().key).toBeUndefined();
  });

  it('is dropped when it is refused, unless another one was entered in the meantime', () => {
    const adminKey = begin();
    adminKey.give('old', 'device');
    adminKey.refuse('old');
    expect(adminKey.snapshot()).toMatchObject({ key: undefined, refused: true });
    expect(device.items.size).toBe(0);
    adminKey.give('new', 'tab');
    adminKey.refuse('old');
    expect(adminKey.snapshot()).toMatchObject({ key: 'new', refused: false });
  });

  it('is the one that another tab has stored on the device since, when the one of before is refused', () => {
    begin().give('old', 'device');
    const [here, there] = [begin(), begin()];
    there.refuse('old');
    there.give('new', 'device');
    here.refuse('old');
    expect(here.snapshot()).toMatchObject({ key: 'new', refused: false });
    expect(begin().snapshot().key).toBe('new');
  });

  it('is taken over from another tab, and removed with it, unless the tab has its own', async () => {
    const [here, there] = [begin(), begin()];
    const call = here.wanted();
    there.give('ak', 'device');
    here.followDevice();
    expect(await call).toBe('ak');
    expect(here.snapshot()).toMatchObject({ key: 'ak', isRequested: false });
    there.forget();
    here.followDevice();
    expect(here.snapshot().key).toBeUndefined();
    here.give('own', 'tab');
    here.followDevice();
    expect(here.snapshot().key).toBe('own');
  });

  it('lets the calls fail when it is declined, and is requested again by the next', async () => {
    const adminKey = begin();
    const call = adminKey.wanted();
    adminKey.decline();
    await expect(call).rejects.toBeInstanceOf(NoAdminKey);
    const next = adminKey.wanted();
    expect(adminKey.snapshot().isRequested).toBe(true);
    adminKey.give('ak', 'tab');
    expect(await next).toBe('ak');
  });
});
