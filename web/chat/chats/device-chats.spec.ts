import { BrowserStorage } from '../../common/browser-storage.js';
import { memory } from '../photographs/tray.fixture.js';
import { DeviceChats } from './device-chats.js';
import type { InspectionState } from './progress.js';

const HOUR = 3_600_000;
const progress = (state: InspectionState = 'unfinished') => ({
  ...{ state, photographs: 1, unsent: 0, messages: 0 },
});
const ids = (chats: DeviceChats) => chats.snapshot().map(({ id }) => id);

const none: ReadonlySet<string> = new Set();

describe('the chats on the device', () => {
  let storage: Storage;
  const open = (refuses = false) => {
    const device = new BrowserStorage(() => {
      if (refuses) throw new Error('forbidden');
      return storage;
    }, '');
    return new DeviceChats(device, device);
  };

  beforeEach(() => {
    storage = memory();
    jest.useFakeTimers({ now: 0 });
  });

  afterEach(() => jest.useRealTimers());

  it('list unfinished ones first, then the newest, and deleted ones last', () => {
    const chats = open();
    for (const [id, state] of [
      ['reported', 'reported'],
      ['old', 'unfinished'],
      ['deleted', 'unfinished'],
      ['empty', 'empty'],
      ['new', 'unfinished'],
    ] as const) {
      jest.advanceTimersByTime(HOUR);
      chats.note(id, progress(state), true);
    }
    chats.delete('deleted');
    const order = ['new', 'old', 'empty', 'reported', 'deleted'];
    expect([ids(chats), ids(open())]).toEqual([order, order]);
  });

  it('can be restored for a day, and a message restores one too', () => {
    const chats = open();
    for (const id of ['kept', 'used', 'gone']) {
      chats.note(id, progress(), true);
      chats.name(id, `Name of ${id}`);
      chats.delete(id);
    }
    chats.note('used', progress('empty'), false);
    expect(chats.find('used')).toMatchObject({ deletedAt: 0 });
    expect(chats.expired(none, 24 * HOUR)).toEqual([]);
    chats.restore('kept');
    chats.note('used', progress(), true);
    expect(chats.expired(none, 24 * HOUR + 1)).toEqual(['gone']);
    expect(ids(open())).toEqual(ids(chats));
    expect(chats.find('kept')).not.toHaveProperty('deletedAt');
    expect(storage.getItem('name:gone')).toBeNull();
  });

  it('leave unfinished and open ones alone, however many there are, and of others the newest thirty', () => {
    const chats = open();
    for (let index = 0; index < 40; index++) {
      jest.advanceTimersByTime(HOUR);
      chats.note(`unfinished${index}`, progress(), true);
      chats.note(`reported${index}`, progress('reported'), true);
    }
    const expired = chats.expired(new Set(['reported3', 'reported39']), 0);
    const oldest = Array.from({ length: 10 }, (_, index) => `reported${index}`);
    expect(expired.sort()).toEqual(oldest.filter((id) => id !== 'reported3'));
    expect(ids(chats)).toHaveLength(71);
  });

  it('are listed during a visit even if the browser stores nothing', () => {
    const chats = open(true);
    chats.note('one', progress(), true);
    expect(ids(chats)).toEqual(['one']);
  });
});
