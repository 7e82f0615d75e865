import { DeviceDatabase } from './device-database.js';
import { exclusivelyBy } from './exclusively.js';

type Request = (
  name: string,
  options: { signal: AbortSignal },
  work: () => Promise<unknown>,
) => Promise<unknown>;

const refusal = () => Promise.reject(new DOMException('Site data is blocked.', 'SecurityError'));

describe('work under a lock of the browser', () => {
  const globals = ['navigator', 'indexedDB'].map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  const define = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { configurable: true, value });
  const exclusively = (request: Request) => {
    define('navigator', { locks: { request } });
    define('indexedDB', {
      open: () => {
        throw new DOMException('Site data is blocked.', 'SecurityError');
      },
    });
    return exclusivelyBy(new DeviceDatabase());
  };
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    for (const [name, before] of globals)
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
  });

  it('runs once where the browser refuses both the lock and the database', async () => {
    const work = jest.fn(async () => 'done');
    expect(await exclusively(refusal)('n', new AbortController().signal, work)).toBe('done');
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('is not repeated when it fails itself', async () => {
    const work = jest.fn(() => Promise.reject(new Error('failed')));
    const run = exclusively((_name, _options, granted) => granted());
    await expect(run('n', new AbortController().signal, work)).rejects.toThrow('failed');
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('does not run once it is aborted', async () => {
    const work = jest.fn(async () => 'done');
    const run = exclusively((_name, { signal }) => Promise.reject(signal.reason as Error));
    await expect(run('n', AbortSignal.abort(), work)).rejects.toThrow('aborted');
    expect(work).not.toHaveBeenCalled();
  });
});
