import { BrowserStorage } from '../../common/browser-storage.js';
import { THUMBNAILS } from '../photographs/thumbnails.js';
import { LISTED } from './device-chats.js';

const CHAT = /^(chat:.*:)([^:]+):([^:]+)$/;

/**
 * Deletes the stored thumbnails of the chat used longest ago, except those under `prefix`. Returns false when there are
 * none. The service has the photographs, but messages and drafts are stored here alone.
 */
export function makeRoom(storage: Storage, prefix: string): boolean {
  const all = new BrowserStorage(() => storage, '');
  const found = all.names('chat:').flatMap((name) => {
    const [, flow = '', chat = '', part] = CHAT.exec(name) ?? [];
    if (part !== THUMBNAILS || name === prefix + THUMBNAILS) return [];
    return [{ name, at: all.get<{ at: number }>(flow + LISTED + chat)?.at ?? 0 }];
  });
  const [oldest] = found.sort((one, other) => one.at - other.at);
  return oldest !== undefined && all.set(oldest.name, undefined);
}
