import type { DatabaseKind } from './databases.js';
import { postgresReachable } from './services.js';

/** A test on the suite's room. */
type Rule<Room> = (name: string, body: (room: Room) => Promise<void>) => void;

/**
 * Opens what a suite tests on one kind of database, and closes it: once a suite, or `anew` for each test. Where the
 * database is not reachable the tests are skipped aloud (`postgresReachable`) and `room` throws.
 */
export function roomOn<Room extends { close(): Promise<unknown> }>(
  kind: DatabaseKind,
  open: () => Promise<Room>,
  { anew = false } = {},
): { rule: Rule<Room>; room: () => Room } {
  let opened: Room | undefined;
  (anew ? beforeEach : beforeAll)(async () => {
    if (kind === 'sqlite' || (await postgresReachable())) opened = await open();
  });
  (anew ? afterEach : afterAll)(async () => {
    await opened?.close();
    opened = undefined;
  });
  return {
    rule: (name, body) =>
      it(name, async () => {
        if (opened) await body(opened);
      }),
    room: () => {
      if (!opened) throw new Error(`no ${kind} for this suite`);
      return opened;
    },
  };
}
