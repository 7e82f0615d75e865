/** The reason a browser stores nothing: it forbids storage (private window, policy) or its quota is used up. */
export type Refusal = 'forbidden' | 'full';

/** Thrown when the browser refuses to store or read data. */
export class StorageRefused extends Error {
  constructor(
    readonly why: Refusal,
    cause?: unknown,
  ) {
    super(`The browser stores nothing: ${why}.`, { cause });
  }
}

const NAME = 'chat-photographs';
const VERSION = 2;
/** Some browsers never answer when they forbid storage. */
const PATIENCE_MS = 3_000;

export type StoreName = 'photographs' | 'files' | 'outbox' | 'leases';

/**
 * The page's IndexedDB database, opened on first use. `photographs` holds the records and `files` their bytes, so that
 * listing stays cheap; `outbox` holds the messages that wait; `leases` serves browsers without Web Locks.
 */
export class DeviceDatabase {
  private opened: Promise<IDBDatabase> | undefined;

  /**
   * Runs `work` in one transaction and resolves with its result once that is durable. Throws `StorageRefused` on rollback.
   * A photograph shown as saved must survive a power loss; `relaxed` writes survive the end of the tab alone.
   */
  async write<T>(
    stores: StoreName[],
    work: (store: StoreOf) => Promise<T> | T,
    durability: IDBTransactionDurability = 'strict',
  ): Promise<T> {
    const database = await this.open();
    try {
      const transaction = database.transaction(stores, 'readwrite', { durability });
      const done = ended(transaction);
      // A failed request aborts the transaction, whose error is more specific.
      const worked = Promise.resolve(work((name) => transaction.objectStore(name)));
      await Promise.race([done, worked.then(() => done)]);
      return await worked;
    } catch (error) {
      throw refusalIn(error);
    }
  }

  /** Throws `StorageRefused`. */
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

  /** Opens it. A failed attempt is made again by the next access; one that is late counts once it succeeds. */
  private openNow(): Promise<IDBDatabase> {
    const opening = connect();
    const forget = () => (this.opened = undefined);
    opening.then((database) => {
      this.opened = opening;
      // Do not block a newer version of the page, or the clearing of site data.
      database.onversionchange = () => (forget(), database.close());
      database.onclose = forget;
    }, forget);
    return Promise.race([opening, never(PATIENCE_MS)]).catch((error: unknown) => {
      throw refusalIn(error);
    });
  }
}

export type StoreOf = (name: StoreName) => IDBObjectStore;

export const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The request failed.'));
  });

async function connect(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, VERSION);
  request.onupgradeneeded = () => make(request.result);
  return answerOf(request);
}

function make(database: IDBDatabase): void {
  const isNew = (name: StoreName) => !database.objectStoreNames.contains(name);
  for (const name of ['photographs', 'outbox'] as const)
    if (isNew(name)) database.createObjectStore(name, { keyPath: 'id' }).createIndex('flowId', 'flowId');
  if (isNew('files')) database.createObjectStore('files');
  if (isNew('leases')) database.createObjectStore('leases', { keyPath: 'name' });
}

const ended = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted.'));
  });

const never = (ms: number): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new Error('The database does not open.')), ms));

function refusalIn(error: unknown): StorageRefused {
  if (error instanceof StorageRefused) return error;
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  return new StorageRefused(isFull ? 'full' : 'forbidden', error);
}
