import { answerOf, type DeviceDatabase, type StoreOf } from './device-database.js';

/** A photograph stored on the device until the service has acknowledged it. */
export interface StoredPhotograph {
  /** Also its `messageId`: the service records one id once. */
  id: string;
  flowId: string;
  chatId: string;
  name: string;
  bytes: number;
  /** Sort key: photographs are listed in the order in which they were chosen. */
  place: number;
  /** The name of the uploaded file at the service, valid within this chat only. */
  issued?: string;
  /** The message that it was sent with. That message is unanswered as long as this record exists. */
  turn?: string;
  /** The record was stored ahead of its bytes, which are still missing. */
  keeping?: true;
}

/** A photograph with its bytes. */
export interface WholePhotograph {
  photograph: StoredPhotograph;
  file: File;
}

/** Durable storage of photographs. All methods throw `StorageRefused` when the browser refuses. */
export interface PhotographStore {
  /** Returns the chat's photographs in their order. */
  all(): Promise<StoredPhotograph[]>;
  find(id: string): Promise<StoredPhotograph | undefined>;
  /** Returns its bytes; undefined when they are gone. */
  file(id: string): Promise<File | undefined>;
  /** Stores records ahead of their bytes, so that a photograph that is lost meanwhile can be named. */
  announce(photographs: readonly StoredPhotograph[]): Promise<void>;
  /** Stores photographs with their bytes in one transaction: all or none. */
  keep(photographs: readonly WholePhotograph[]): Promise<void>;
  /** Changes those of `ids` that still exist. A member set to undefined is removed. */
  note(ids: readonly string[], change: Change): Promise<void>;
  /** Claims for this message those of `ids` that no message, in any tab, has claimed yet. Returns the claimed ids. */
  take(ids: readonly string[], turn: string): Promise<string[]>;
  remove(ids: readonly string[]): Promise<void>;
}

type Lookup = IDBRequest<StoredPhotograph | undefined>;

export interface Change {
  issued?: string | undefined;
  turn?: string | undefined;
  keeping?: true;
}

/** The photographs of one chat in the page's database. */
export class DevicePhotographs implements PhotographStore {
  constructor(
    private readonly database: DeviceDatabase,
    private readonly flowId: string,
    private readonly chatId: string,
  ) {}

  async all(): Promise<StoredPhotograph[]> {
    const found = await photographsOfFlow(this.database, this.flowId);
    const own = found.filter(({ chatId }) => chatId === this.chatId);
    return own.sort((one, other) => one.place - other.place);
  }

  find(id: string): Promise<StoredPhotograph | undefined> {
    return this.database.read('photographs', (store) => store.get(id) as Lookup);
  }

  async file(id: string): Promise<File | undefined> {
    const stored = await this.database.read<unknown>('files', (store) => store.get(id));
    return stored instanceof File ? stored : undefined;
  }

  async announce(photographs: readonly StoredPhotograph[]): Promise<void> {
    const put = (store: StoreOf) => {
      for (const photograph of photographs) store('photographs').put({ ...photograph, keeping: true });
    };
    // The bytes follow in strict transactions, which make this one durable too.
    await this.database.write(['photographs'], put, 'relaxed');
  }

  async keep(photographs: readonly WholePhotograph[]): Promise<void> {
    await this.database.write(['photographs', 'files'], (store) => {
      for (const { photograph, file } of photographs) {
        store('photographs').put(photograph);
        store('files').put(file, photograph.id);
      }
    });
  }

  async note(ids: readonly string[], change: Change): Promise<void> {
    await this.database.write(['photographs'], (store) => this.change(store, ids, () => change));
  }

  take(ids: readonly string[], turn: string): Promise<string[]> {
    return this.database.write(['photographs'], (store) =>
      this.change(store, ids, (found) => (found.turn === undefined ? { turn } : undefined)),
    );
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.database.write(['photographs', 'files'], (store) => {
      for (const id of ids) {
        store('photographs').delete(id);
        store('files').delete(id);
      }
    });
  }

  /** Returns the ids of those that were changed. */
  private async change(
    store: StoreOf,
    ids: readonly string[],
    changeOf: (found: StoredPhotograph) => Change | undefined,
  ): Promise<string[]> {
    const changed: string[] = [];
    for (const id of ids) {
      const found = await answerOf(store('photographs').get(id) as Lookup);
      const change = found && changeOf(found);
      if (!found || !change) continue;
      store('photographs').put(changedBy(found, change));
      changed.push(id);
    }
    return changed;
  }
}

export function changedBy(photograph: StoredPhotograph, change: Change): StoredPhotograph {
  const changed: Record<string, unknown> = { ...photograph, ...change };
  for (const [name, value] of Object.entries(changed)) if (value === undefined) delete changed[name];
  return changed as unknown as StoredPhotograph;
}

const photographsOfFlow = (database: DeviceDatabase, flowId: string): Promise<StoredPhotograph[]> =>
  database.read(
    'photographs',
    (store) => store.index('flowId').getAll(flowId) as IDBRequest<StoredPhotograph[]>,
  );

/** Returns the number of stored photographs of each chat of a flow. */
export async function photographsByChat(
  database: DeviceDatabase,
  flowId: string,
): Promise<[chatId: string, count: number][]> {
  const counts = new Map<string, number>();
  for (const { chatId } of await photographsOfFlow(database, flowId))
    counts.set(chatId, (counts.get(chatId) ?? 0) + 1);
  return [...counts];
}
