import type { DatabaseKind } from './databases.js';
import { postgresReachable } from './services.js';

/** A test on the suite's fixture. */
type Rule<Fixture> = (name: string, body: (fixture: Fixture) => Promise<void>) => void;

/**
 * Opens and closes a suite's fixture on one kind of database: once for the suite, or once `perTest`. Where the database
 * is not reachable the tests are skipped with a notice (`postgresReachable`) and `fixture` throws.
 */
export function fixtureOn<Fixture extends { close(): Promise<unknown> }>(
  kind: DatabaseKind,
  open: () => Promise<Fixture>,
  { perTest = false } = {},
): { rule: Rule<Fixture>; fixture: () => Fixture } {
  let opened: Fixture | undefined;
  (perTest ? beforeEach : beforeAll)(async () => {
    if (kind === 'sqlite' || (await postgresReachable())) opened = await open();
  });
  (perTest ? afterEach : afterAll)(async () => {
    await opened?.close();
    opened = undefined;
  });
  return {
    rule: (name, body) =>
      it(name, async () => {
        if (opened) await body(opened);
      }),
    fixture: () => {
      if (!opened) throw new Error(`no ${kind} for this suite`);
      return opened;
    },
  };
}
