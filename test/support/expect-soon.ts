import { eventually } from './eventually.js';

type Expectation<T> = jest.AndNot<jest.Matchers<Promise<void>, T>>;

/**
 * `expect` for what a page shows: reads until the expectation holds, since a page follows a press or an answer of the
 * service with a delay. Fails with the difference seen last.
 */
export function expectSoon<T>(read: () => Promise<T>): Expectation<T> {
  const matchers = (negated: boolean) =>
    new Proxy({} as Expectation<T>, {
      get(_, name: string) {
        if (name === 'not') return matchers(true);
        return (...expected: unknown[]) => soon(read, name, negated, expected);
      },
    });
  return matchers(false);
}

async function soon<T>(read: () => Promise<T>, name: string, negated: boolean, expected: unknown[]) {
  let last: unknown;
  const holds = async () => {
    const actual = await read();
    try {
      const subject = negated ? expect(actual).not : expect(actual);
      (subject as unknown as Record<string, (...expected: unknown[]) => void>)[name]!(...expected);
      return true;
    } catch (difference) {
      last = difference;
      return false;
    }
  };
  await eventually(holds).catch((error: unknown) => {
    throw last ?? error;
  });
}
