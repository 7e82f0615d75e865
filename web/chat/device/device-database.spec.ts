import { DeviceDatabase, StorageRefused } from './device-database.js';

/** A request of the fake browser that is answered once its handlers are set. */
function answered<T>(result: T, error?: DOMException): IDBRequest<T> {
  const request = { result, error } as unknown as IDBRequest<T>;
  void Promise.resolve().then(() =>
    (error ? request.onerror : request.onsuccess)?.call(request, new Event('answer')),
  );
  return request;
}

/** A database whose stores answer every `get` with its key. */
const connection = () =>
  ({
    close: jest.fn(),
    transaction: () => ({ objectStore: () => ({ get: (key: string) => answered(key) }) }),
  }) as unknown as IDBDatabase;

describe("the page's database", () => {
  const open = jest.fn<IDBRequest<IDBDatabase>, []>();
  const read = (database: DeviceDatabase) =>
    database.read('photographs', (store) => store.get('one') as IDBRequest<string>);
  const refusal = new DOMException('Try again.', 'UnknownError');

  beforeEach(() => {
    jest.useFakeTimers();
    open.mockReset();
    Object.defineProperty(globalThis, 'indexedDB', { configurable: true, value: { open } });
  });
  afterEach(() => {
    jest.useRealTimers();
    Reflect.deleteProperty(globalThis, 'indexedDB');
  });

  it.each([
    ['was refused', () => answered(connection(), refusal)],
    [
      'threw',
      () => {
        throw refusal;
      },
    ],
  ])('is opened again by the access after one that %s', async (_, refused) => {
    open.mockImplementationOnce(refused).mockImplementation(() => answered(connection()));
    const database = new DeviceDatabase();
    await expect(read(database)).rejects.toThrow(StorageRefused);
    expect([await read(database), await read(database)]).toEqual(['one', 'one']);
    expect(open).toHaveBeenCalledTimes(2);
  });

  it('that opens late refuses until then without another wait, and is used from then on', async () => {
    const late = { result: connection() } as unknown as IDBOpenDBRequest;
    open.mockReturnValue(late);
    const database = new DeviceDatabase();
    const first = expect(read(database)).rejects.toThrow(StorageRefused);
    await jest.advanceTimersByTimeAsync(3_000);
    await first;
    await expect(read(database)).rejects.toThrow(StorageRefused);
    late.onsuccess?.(new Event('success'));
    await jest.advanceTimersByTimeAsync(0);
    expect(await read(database)).toBe('one');
    expect(open).toHaveBeenCalledTimes(1);
  });
});
