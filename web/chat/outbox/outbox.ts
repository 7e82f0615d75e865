import { uniqueId } from '../../common/unique-id.js';
import { StorageRefused } from '../device/device-database.js';
import type { DeviceOutbox, StoredMessage } from '../device/device-outbox.js';
import type { Exclusively } from '../device/exclusively.js';
import type { PhotographTray } from '../photographs/photograph-tray.js';
import type { Photograph } from '../photographs/photograph.js';
import type { Conversation } from '../turns/conversation.js';
import type { Input } from '../turns/input.js';

export interface WaitingMessage extends StoredMessage {
  /** Stored on the device, so it survives a reload. */
  onDevice: boolean;
}

/** The messages that wait, in their order. */
export interface OutboxState {
  waiting: readonly WaitingMessage[];
}

interface OutboxParts {
  flowId: string;
  chatId: string;
  store: Pick<DeviceOutbox, 'all' | 'put' | 'begin' | 'withdraw' | 'remove'>;
  conversation: Conversation;
  tray: PhotographTray;
  exclusively: Exclusively;
  /** Returns whether the chat is deleted. Its messages wait in case it is restored. */
  isDeleted: () => boolean;
  /** Notifies other tabs of a change. */
  notify: () => void;
}

/**
 * Sends messages one after the other. One that cannot go yet (no network, an answer under way, photographs still uploading)
 * waits on the device. One tab sends at a time, and a message is deleted from the device once its turn has ended: until
 * then it is sent again under the same idempotency key, so that it arrives once.
 */
export class Outbox {
  private state: OutboxState = { waiting: [] };
  private readonly listeners = new Set<() => void>();
  private isSending = false;
  private lastPlace = 0;

  constructor(private readonly parts: OutboxParts) {
    parts.conversation.subscribe(this.go);
    parts.tray.subscribe(this.go);
    addEventListener('online', this.go);
  }

  readonly snapshot = (): OutboxState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Returns whether a waiting message has claimed this photograph. */
  holds(photograph: string): boolean {
    return this.state.waiting.some(({ photographs }) => photographs.some(({ id }) => id === photograph));
  }

  /** Returns the messages that the service has not received from this tab. */
  unsent(): readonly WaitingMessage[] {
    return this.state.waiting.filter(({ id }) => !this.parts.conversation.has(id));
  }

  /** Sends a message, or stores it until it can go. Resolves once it is on the device. */
  async send(input: Input): Promise<void> {
    const { conversation, flowId, chatId, notify, tray } = this.parts;
    const { photographs = [], id = uniqueId(), ...words } = input;
    if (this.state.waiting.length === 0 && this.canGo(photographs)) {
      conversation.send({ ...input, id });
      return;
    }
    const place = Math.max(Date.now(), this.lastPlace + 1);
    this.lastPlace = place;
    const listed = photographs.map(({ id: photograph, name, bytes }) => ({ id: photograph, name, bytes }));
    const message = { ...words, id, flowId, chatId, place, photographs: listed };
    const onDevice = await this.stored(message);
    this.show([...this.state.waiting, { ...message, onDevice }]);
    notify();
    // The person continues without an answer to a message that failed, and expects another attempt at one that is lost.
    const { waits } = conversation.snapshot().trouble ?? {};
    if (waits === 'network') conversation.retry();
    else if (waits !== 'service') this.proceed();
    tray.retryAll();
  }

  /** Continues after a message that the service refused. */
  readonly proceed = (): void => {
    this.parts.conversation.giveUp();
    this.go();
  };

  /** Takes back a message, whose photographs return to the tray. Returns false when it is already on its way. */
  async edit(id: string): Promise<boolean> {
    const message = await this.withdrawn(id);
    if (message) await this.parts.tray.release(message.photographs.map((one) => one.id));
    return message !== undefined;
  }

  /** Deletes a message that is not on its way, with its photographs. */
  async discard(id: string): Promise<void> {
    const message = await this.withdrawn(id);
    if (message) this.parts.tray.acknowledged(message.photographs.map((one) => one.id));
  }

  /** Reads what waits on the device, from earlier visits and from other tabs. */
  readonly load = async (): Promise<void> => {
    const { store, tray } = this.parts;
    const stored = await store.all().catch(() => undefined);
    if (!stored) return;
    this.lastPlace = Math.max(this.lastPlace, ...stored.map(({ place }) => place));
    const inMemory = this.state.waiting.filter(({ onDevice }) => !onDevice);
    const waiting = [...stored.map((message) => ({ ...message, onDevice: true })), ...inMemory];
    this.show(waiting.sort((one, other) => one.place - other.place));
    await tray.hold(
      stored.flatMap(({ id, photographs }) => photographs.map((one) => ({ ...one, message: id }))),
    );
    this.go();
  };

  private async withdrawn(id: string): Promise<WaitingMessage | undefined> {
    const { store, notify } = this.parts;
    const message = this.state.waiting.find((one) => one.id === id);
    if (!message || message.begun || this.parts.conversation.has(id)) return undefined;
    if (message.onDevice && !(await store.withdraw(id).catch(() => false))) return undefined;
    this.show(this.state.waiting.filter((one) => one.id !== id));
    notify();
    return message;
  }

  private async stored(message: StoredMessage): Promise<boolean> {
    try {
      await this.parts.store.put(message);
      return true;
    } catch (error) {
      if (error instanceof StorageRefused) return false;
      throw error;
    }
  }

  /** Sends what can go. Runs whenever something has changed. */
  readonly go = (): void => {
    if (this.isSending || !this.next()) return;
    this.isSending = true;
    const { exclusively, flowId, chatId } = this.parts;
    void exclusively(`outbox:${flowId}:${chatId}`, new AbortController().signal, () => this.sendAll())
      .catch(() => undefined)
      .finally(() => {
        this.isSending = false;
        this.go();
      });
  };

  private async sendAll(): Promise<void> {
    // Another tab may have sent some of them while this one waited for its turn.
    await this.load();
    for (let next = this.next(); next; next = this.next()) await this.sendOne(next);
  }

  /** Returns the first message if it can go now, or has gone already. */
  private next(): WaitingMessage | undefined {
    const [first] = this.state.waiting;
    if (!first) return undefined;
    const { conversation, isDeleted } = this.parts;
    if (conversation.has(first.id)) return first;
    if (isDeleted()) return undefined;
    return conversation.snapshot().trouble || !this.canGo(this.held(first)) ? undefined : first;
  }

  private canGo(photographs: readonly Photograph[]): boolean {
    return (
      navigator.onLine &&
      this.parts.conversation.isFree() &&
      photographs.every(({ journey }) => journey.at === 'there')
    );
  }

  private async sendOne(message: WaitingMessage): Promise<void> {
    const { conversation, store, notify } = this.parts;
    const { id, text, form, humanInput } = message;
    if (message.onDevice && !(await store.begin(id).catch(() => true))) return this.load();
    const more = { ...(form ? { form } : {}), ...(humanInput ? { humanInput } : {}) };
    if (!conversation.has(id)) conversation.send({ id, text, photographs: this.held(message), ...more });
    await this.ended(id);
    this.show(this.state.waiting.filter((one) => one.id !== id));
    await store.remove([id]).catch(() => undefined);
    notify();
  }

  /** Resolves when the turn of a message has ended and is not tried again. */
  private ended(id: string): Promise<void> {
    const { conversation } = this.parts;
    return new Promise((resolve) => {
      const look = () => {
        if (conversation.pendingMessage === id) return;
        leave();
        resolve();
      };
      const leave = conversation.subscribe(look);
      look();
    });
  }

  /** The photographs of a message, in its order. */
  private held({ photographs }: WaitingMessage): Photograph[] {
    const { held } = this.parts.tray.snapshot();
    return photographs.flatMap(({ id }) => held.find((one) => one.id === id) ?? []);
  }

  private show(waiting: readonly WaitingMessage[]): void {
    this.state = { waiting };
    for (const listener of this.listeners) listener();
  }
}
