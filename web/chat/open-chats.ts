import { BrowserStorage } from '../common/browser-storage.js';
import { uniqueId } from '../common/unique-id.js';
import { DeviceChats } from './chats/device-chats.js';
import { makeRoom } from './chats/make-room.js';
import { DeviceDatabase } from './device/device-database.js';
import { messagesByChat } from './device/device-outbox.js';
import { photographsByChat } from './device/device-photographs.js';
import { announceOpen, openInTabs } from './device/open-tabs.js';
import { deleteChat, openChat, type OpenChat, type SharedParts } from './open-chat.js';
import type { Served } from './start/served.js';
import { FlowService } from './turns/service.js';

/**
 * The chats of one flow that this page has opened. One is shown; the others finish what they have begun. A tab shows its own
 * chat again after a reload, and a new tab the one that was opened last.
 */
export class OpenChats {
  readonly service: FlowService;
  readonly chats: DeviceChats;
  readonly tab: BrowserStorage;
  private readonly device: BrowserStorage;
  private readonly parts: SharedParts;
  private readonly opened = new Map<string, OpenChat>();
  private readonly listeners = new Set<() => void>();
  private shown: OpenChat;
  private isReady = false;

  constructor(served: Served) {
    const prefix = `chat:${served.id}:`;
    this.service = new FlowService(served.id);
    this.tab = new BrowserStorage(() => sessionStorage, prefix, makeRoom);
    this.device = new BrowserStorage(() => localStorage, prefix, makeRoom);
    this.chats = new DeviceChats(this.device, served.keyed ? this.tab : this.device);
    const onNewChat = (id: string) => id === this.shown.id && this.showNew();
    const shared = { service: this.service, chats: this.chats, database: new DeviceDatabase() };
    this.parts = { served, ...shared, onNewChat };
    this.shown = this.remember(this.lastShown() ?? uniqueId());
  }

  readonly snapshot = (): OpenChat => this.shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Resumes what an earlier visit has left, once the key is known: in this chat, and messages waiting in others. */
  async resume(): Promise<void> {
    this.isReady = true;
    this.shown.resume();
    const { database, served } = this.parts;
    const open = new Set([...(await openInTabs(served.id)), ...this.opened.keys()]);
    for (const id of this.chats.expired(open)) await deleteChat(id, this.parts).catch(() => undefined);
    const waiting = await messagesByChat(database, served.id).catch(() => new Map<string, number>());
    const photographs = await photographsByChat(database, served.id).catch(() => []);
    const none = [...waiting.keys()].map((id): [string, number] => [id, 0]);
    for (const [id, unsent] of new Map([...none, ...photographs])) {
      // The browser may have had room for these, but not for the list.
      const messages = waiting.get(id) ?? 0;
      if (!this.chats.find(id) && id !== this.shown.id)
        this.chats.note(id, { state: 'unfinished', photographs: 0, unsent, messages }, true);
    }
    for (const { id, messages, deletedAt } of this.chats.snapshot())
      if ((messages > 0 || waiting.has(id)) && deletedAt === undefined) this.at(id).resume();
  }

  /** Sends again what failed without a key, in all chats. */
  retry(): void {
    for (const { conversation, tray } of this.opened.values()) {
      conversation.retry();
      tray.retryAll();
    }
  }

  readonly show = (id: string): void => {
    if (id === this.shown.id) return;
    // A draft alone does not list a chat while it is written.
    this.shown.note();
    this.shown = this.remember(id);
    if (this.isReady) this.shown.resume();
    for (const listener of this.listeners) listener();
  };

  /** Shows a new chat, unless the one shown is unused. */
  readonly showNew = (): void => {
    if (this.shown.isUsed()) this.show(uniqueId());
  };

  private at(id: string): OpenChat {
    const known = this.opened.get(id);
    if (known) return known;
    announceOpen(this.parts.served.id, id);
    const chat = openChat(id, this.parts);
    this.opened.set(id, chat);
    return chat;
  }

  private remember(id: string): OpenChat {
    this.tab.set('chatId', id);
    this.device.set('chatId', id);
    return this.at(id);
  }

  private lastShown(): string | undefined {
    const isOffered = (id: string | undefined) => id !== undefined && !this.chats.find(id)?.deletedAt;
    return [this.tab, this.device].map((storage) => storage.get<string>('chatId')).find(isOffered);
  }
}
