/** Why a browser keeps nothing: it forbids it (private windows, a policy), or it has no room left. */
export type Refusal = 'forbidden' | 'full';

/** Thrown where the device keeps nothing (more). */
export class NotKept extends Error {
  constructor(
    readonly why: Refusal,
    cause?: unknown,
  ) {
    super(`The browser keeps nothing: ${why}.`, { cause });
  }
}

const NAME = 'chat-photographs';
const VERSION = 1;
/** Some browsers never answer where they forbid it. */
const PATIENCE_MS = 3_000;

export type StoreName = 'photographs' | 'files' | 'leases';

/**
 * The page's database on the device: `photographs` by their ids and flows, their bytes apart in `files` so that a list
 * of them stays small, and `leases` for browsers without Web Locks. It is opened when it is first used.
 */
export class DeviceDatabase {
  private opened: Promise<IDBDatabase> | undefined;

  /**
   * Runs `work` in one transaction, and resolves with its result once all of it is on the disk. Throws `NotKept`;
   * nothing of it is kept then.
   */
  async write<T>(stores: StoreName[], work: (store: StoreOf) => Promise<T> | T): Promise<T> {
    const database = await this.open();
    try {
      // Not `relaxed`: what is shown as kept outlives an empty battery.
      const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' });
      const done = ended(transaction);
      // A request that fails aborts the transaction, whose error says more.
      const worked = Promise.resolve(work((name) => transaction.objectStore(name)));
      await Promise.race([done, worked.then(() => done)]);
      return await worked;
    } catch (error) {
      throw refusalIn(error);
    }
  }

  /** Throws `NotKept`. */
  async read<T>(name: StoreName, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const database = await this.open();
    try {
      return await answerOf(work(database.transaction(name, 'readonly').objectStore(name)));
    } catch (error) {
      throw refusalIn(error);
    }
  }

  private open(): Promise<IDBDatabase> {
    this.opened ??= this.openNow();
    return this.opened;
  }

  private async openNow(): Promise<IDBDatabase> {
    try {
      const request = indexedDB.open(NAME, VERSION);
      request.onupgradeneeded = () => make(request.result);
      const database = await Promise.race([answerOf(request), never(PATIENCE_MS)]);
      // A later version of the page, or whoever clears the site's data, need not wait for this tab.
      const forget = () => (this.opened = undefined);
      database.onversionchange = () => (forget(), database.close());
      database.onclose = forget;
      return database;
    } catch (error) {
      throw refusalIn(error);
    }
  }
}

export type StoreOf = (name: StoreName) => IDBObjectStore;

export const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The request failed.'));
  });

function make(database: IDBDatabase): void {
  database.createObjectStore('photographs', { keyPath: 'id' }).createIndex('flowId', 'flowId');
  database.createObjectStore('files');
  database.createObjectStore('leases', { keyPath: 'name' });
}

const ended = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted.'));
  });

const never = (ms: number): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new Error('The database does not open.')), ms));

function refusalIn(error: unknown): NotKept {
  if (error instanceof NotKept) return error;
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  return new NotKept(isFull ? 'full' : 'forbidden', error);
}
