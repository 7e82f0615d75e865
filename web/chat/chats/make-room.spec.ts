import { BrowserStorage } from '../../common/browser-storage.js';
import { memory } from '../photographs/tray.fixture.js';
import { DeviceChats } from './device-chats.js';
import { makeRoom } from './make-room.js';

/** A storage with room for so many characters. */
function limited(most: number): Storage {
  const storage = memory();
  const setItem = storage.setItem.bind(storage);
  const used = () => Object.keys(storage).reduce((sum, key) => sum + (storage.getItem(key)?.length ?? 0), 0);
  return Object.assign(storage, {
    setItem: (name: string, value: string) => {
      if (used() - (storage.getItem(name)?.length ?? 0) + value.length > most)
        throw new DOMException('No room.', 'QuotaExceededError');
      setItem(name, value);
    },
  });
}

describe('a browser storage that is full', () => {
  const PICTURES = 'x'.repeat(1_000);
  const progress = { state: 'reported', photographs: 1, unsent: 0, messages: 0 } as const;
  const hasPictures = (storage: Storage, id: string) =>
    storage.getItem(`chat:flow:${id}:thumbnails`) !== null;

  /** Three chats with thumbnails, `old` being the one used longest ago, that fill the storage. */
  const filled = () => {
    const storage = limited(3_500);
    const device = new BrowserStorage(() => storage, 'chat:flow:', makeRoom);
    const chats = new DeviceChats(device, device);
    jest.useFakeTimers({ now: 0 });
    for (const id of ['old', 'middle', 'new']) {
      jest.advanceTimersByTime(1_000);
      chats.note(id, progress, true);
    }
    jest.useRealTimers();
    const chat = (id: string) => new BrowserStorage(() => storage, `chat:flow:${id}:`, makeRoom);
    for (const id of ['new', 'middle', 'old']) expect(chat(id).set('thumbnails', PICTURES)).toBe(true);
    return { storage, chat, chats };
  };

  it('stores a message in place of the thumbnails of the chat used longest ago', () => {
    const { storage, chat } = filled();
    expect(chat('new').set('turn:1', 'y'.repeat(1_000))).toBe(true);
    expect(chat('new').get('turn:1')).toHaveLength(1_000);
    expect(['old', 'middle', 'new'].map((id) => hasPictures(storage, id))).toEqual([false, true, true]);
  });

  it('gives up as many as it needs, but none of the chat that stores', () => {
    const { storage, chat } = filled();
    expect(chat('new').set('turn:1', 'y'.repeat(2_000))).toBe(true);
    expect(chat('new').set('turn:2', 'y'.repeat(2_000))).toBe(false);
    expect(['old', 'middle', 'new'].map((id) => hasPictures(storage, id))).toEqual([false, false, true]);
  });

  it('lists another chat', () => {
    const { storage, chat, chats } = filled();
    chat('new').set('turn:1', 'y'.repeat(3_500 - 3_006 - 300));
    for (const id of ['next', 'last', 'more', 'most']) chats.note(id, progress, true);
    expect(storage.getItem('chat:flow:listed:most')).not.toBeNull();
  });
});
