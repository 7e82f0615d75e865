import type { Photograph } from '../photographs/photograph.js';
import type { Input } from '../turns/input.js';
import { answerOf, type DeviceDatabase, type StoreOf } from './device-database.js';

/** A message that waits on the device until it can be sent and answered. */
export interface StoredMessage extends Pick<Input, 'text' | 'form' | 'humanInput'> {
  /** Also the id of its turn, and its first idempotency key: the service runs one key once. */
  id: string;
  flowId: string;
  chatId: string;
  /** Sort key: messages go in the order in which they were sent. */
  place: number;
  photographs: readonly Pick<Photograph, 'id' | 'name' | 'bytes'>[];
  /** A tab has begun to send it, so it can no longer be changed. */
  begun?: true;
}

type Lookup = IDBRequest<StoredMessage | undefined>;

/** The waiting messages of one chat in the page's database. All methods throw `StorageRefused` when the browser refuses. */
export class DeviceOutbox {
  constructor(
    private readonly database: DeviceDatabase,
    private readonly flowId: string,
    private readonly chatId: string,
  ) {}

  /** Returns the messages in their order. */
  async all(): Promise<StoredMessage[]> {
    const found = await messagesOfFlow(this.database, this.flowId);
    const own = found.filter(({ chatId }) => chatId === this.chatId);
    return own.sort((one, other) => one.place - other.place);
  }

  async put(message: StoredMessage): Promise<void> {
    await this.database.write(['outbox'], (store) => store('outbox').put(message));
  }

  /** Marks a message as begun. Returns false when another tab has withdrawn it. */
  begin(id: string): Promise<boolean> {
    return this.change(id, (store, found) => {
      store('outbox').put({ ...found, begun: true });
      return true;
    });
  }

  /** Deletes a message, unless a tab has begun to send it. Returns whether it was deleted. */
  withdraw(id: string): Promise<boolean> {
    return this.change(id, (store, found) => {
      if (!found.begun) store('outbox').delete(id);
      return !found.begun;
    });
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.database.write(['outbox'], (store) => {
      for (const id of ids) store('outbox').delete(id);
    });
  }

  /** Deletes all messages of the chat. */
  async clear(): Promise<void> {
    await this.remove((await this.all()).map(({ id }) => id));
  }

  private change(id: string, change: (store: StoreOf, found: StoredMessage) => boolean): Promise<boolean> {
    return this.database.write(['outbox'], async (store) => {
      const found = await answerOf(store('outbox').get(id) as Lookup);
      return found !== undefined && change(store, found);
    });
  }
}

const messagesOfFlow = (database: DeviceDatabase, flowId: string): Promise<StoredMessage[]> =>
  database.read('outbox', (store) => store.index('flowId').getAll(flowId) as IDBRequest<StoredMessage[]>);

/** Returns the number of waiting messages of each chat of a flow that has some. */
export async function messagesByChat(database: DeviceDatabase, flowId: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { chatId } of await messagesOfFlow(database, flowId))
    counts.set(chatId, (counts.get(chatId) ?? 0) + 1);
  return counts;
}
