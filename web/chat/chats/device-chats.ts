import type { BrowserStorage } from '../../common/browser-storage.js';
import type { InspectionState, Progress } from './progress.js';

/** A chat in the list of this device. */
export interface ListedChat extends Progress {
  id: string;
  /** The time of its last message, in epoch milliseconds. */
  at: number;
  /** The address of the property, else the first message. */
  name?: string;
  /** The time at which the person deleted it from the device. It can be restored for a day. */
  deletedAt?: number;
}

type StoredEntry = Omit<ListedChat, 'id' | 'name'>;

/** The entry of a chat, by its id. */
export const LISTED = 'listed:';
const NAME = 'name:';
const LONGEST_NAME = 120;
/** The time for which a deleted chat can be restored. */
const DAY_MS = 24 * 3_600_000;
/** Chats without anything unfinished that stay on the device. */
const MOST_FINISHED = 30;

const ORDER: readonly InspectionState[] = ['unfinished', 'empty', 'reported'];

/**
 * The chats of one flow on this device, each stored under its own name, so that two tabs never overwrite each other's.
 * Unfinished ones come first, then the newest.
 */
export class DeviceChats {
  private list: readonly ListedChat[];
  /** Entries of this visit, for a browser that stores nothing. */
  private readonly inMemory = new Map<string, StoredEntry>();
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly device: BrowserStorage,
    /** Stores what describes a property or a person: on a flow with a key, for this tab only. */
    private readonly personal: BrowserStorage,
  ) {
    this.list = this.read();
    globalThis.addEventListener?.('storage', ({ key }: StorageEvent) => {
      if (key === null || key.includes(`:${LISTED}`) || key.includes(`:${NAME}`)) this.show();
    });
  }

  readonly snapshot = (): readonly ListedChat[] => this.list;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  find(id: string): ListedChat | undefined {
    return this.list.find((chat) => chat.id === id);
  }

  /** Stores the progress of a chat. `isActive`: a message was sent, so it is the newest and no longer deleted. */
  note(id: string, progress: Progress, isActive: boolean): void {
    const before = this.entry(id);
    const { at = Date.now(), deletedAt } = (isActive ? undefined : before) ?? {};
    this.write(id, entryOf({ ...progress, at }, deletedAt), before);
  }

  name(id: string, name: string): void {
    const short = name.trim().slice(0, LONGEST_NAME);
    if (short === '' || this.personal.get(NAME + id) === short) return;
    this.personal.set(NAME + id, short);
    this.show();
  }

  /** The inspector of the last inspection. */
  get inspector(): string | undefined {
    return this.personal.get('inspector');
  }

  set inspector(name: string) {
    this.personal.set('inspector', name.slice(0, LONGEST_NAME));
  }

  delete(id: string): void {
    this.change(id, Date.now());
  }

  restore(id: string): void {
    this.change(id, undefined);
  }

  /** Removes from the list, and returns, chats deleted a day ago and, of those no tab has open, finished ones beyond the newest. */
  expired(open: ReadonlySet<string>, now = Date.now()): string[] {
    const finished = this.list.filter(({ state, deletedAt }) => state !== 'unfinished' && !deletedAt);
    const isOver = ({ deletedAt }: ListedChat) => deletedAt !== undefined && now - deletedAt > DAY_MS;
    const old = finished.slice(MOST_FINISHED).filter(({ id }) => !open.has(id));
    const ids = [...this.list.filter(isOver), ...old].map(({ id }) => id);
    for (const id of ids) {
      this.inMemory.delete(id);
      this.device.set(LISTED + id, undefined);
      this.personal.set(NAME + id, undefined);
    }
    if (ids.length > 0) this.show();
    return ids;
  }

  private change(id: string, deletedAt: number | undefined): void {
    const before = this.entry(id);
    if (before) this.write(id, entryOf(before, deletedAt), before);
  }

  private entry(id: string): StoredEntry | undefined {
    return this.device.get<StoredEntry>(LISTED + id) ?? this.inMemory.get(id);
  }

  private write(id: string, entry: StoredEntry, before: StoredEntry | undefined): void {
    if (JSON.stringify(entry) === JSON.stringify(before)) return;
    this.inMemory.set(id, entry);
    this.device.set(LISTED + id, entry);
    this.show();
  }

  private read(): readonly ListedChat[] {
    const stored = this.device.names(LISTED).map((key) => key.slice(LISTED.length));
    const found = [...new Set([...stored, ...this.inMemory.keys()])].flatMap((id): ListedChat[] => {
      const entry = this.entry(id);
      const name = this.personal.get<string>(NAME + id);
      return entry ? [{ id, ...entry, ...(name === undefined ? {} : { name }) }] : [];
    });
    const place = ({ state, deletedAt }: ListedChat) =>
      deletedAt === undefined ? ORDER.indexOf(state) : ORDER.length;
    return found.sort((one, other) => place(one) - place(other) || other.at - one.at);
  }

  private show(): void {
    this.list = this.read();
    for (const listener of this.listeners) listener();
  }
}

function entryOf({ deletedAt: _, ...entry }: StoredEntry, deletedAt: number | undefined): StoredEntry {
  return deletedAt === undefined ? entry : { ...entry, deletedAt };
}
