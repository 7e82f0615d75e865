import { startTestApp, TestClock, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { echoFlow } from './support/flows.js';
import { describeOnPostgres } from './support/on-postgres.js';
import { ServiceClient } from './support/service-client.js';
import { postgresReachable } from './support/services.js';

/** The clock of a machine whose time is wrong. */
class WrongClock extends TestClock {
  constructor(public wrongByMs: number) {
    super();
  }

  override machineNow(): number {
    return super.machineNow() + this.wrongByMs;
  }
}

const APART_MS = 30_000;
const WINDOW_MS = 2_000;

/** Contract section 13: every promise holds across processes; on SQLite they share one machine, and so one clock. */
describeOnPostgres('processes whose clocks are wrong', () => {
  let fast: TestApp | undefined;
  let slow: TestApp | undefined;
  let ahead: WrongClock;

  beforeAll(async () => {
    if (!(await postgresReachable())) return;
    ahead = new WrongClock(APART_MS);
    fast = await startTestApp({ database: 'postgres', clock: ahead });
    slow = await startTestApp({ place: fast.place, clock: new WrongClock(-APART_MS) });
  });

  afterAll(async () => {
    await slow?.close({ keep: true });
    await fast?.close();
  });

  /** Skips with a message (see `postgresReachable`) without the database. */
  const rule = (name: string, body: (fast: TestApp, slow: TestApp) => Promise<void>) =>
    it(name, async () => {
      if (fast && slow) await body(fast, slow);
    });
  const clientOf = (app: TestApp) => new ServiceClient(() => app);

  rule('record the same time', async (fast, slow) => {
    const id = await clientOf(fast).flow(echoFlow());
    for (const app of [fast, slow, fast, slow]) {
      const sentAt = Date.now();
      const { body } = await clientOf(app).predict(id, { question: 'When?', chatId: 'noted' });
      const record = await clientOf(app).ended(body.executionId);
      expect(Math.abs(Date.parse(record.startedAt) - sentAt)).toBeLessThan(5_000);
    }
  });

  rule(
    'accept calls as soon as the window allows it, whichever process counted the earlier ones',
    async (fast, slow) => {
      const id = await clientOf(fast).flow(
        echoFlow({ access: { rateLimit: { limit: 1, windowSeconds: WINDOW_MS / 1000 } } }),
      );
      const status = async (app: TestApp) => (await clientOf(app).predict(id, { question: 'x' })).status;
      expect(await status(fast)).toBe(200);
      expect(await status(slow)).toBe(429);
      for (const app of [slow, fast, slow]) {
        await new Promise((resolve) => setTimeout(resolve, WINDOW_MS + 100));
        expect(await status(app)).toBe(200);
      }
    },
  );

  rule('use the clock of their own machine again once it is right', async (fast) => {
    expect(ahead.now() - Date.now()).toBeLessThan(2_000);
    ahead.wrongByMs = 0;
    await eventually(() => Math.abs(fast.clock.now() - Date.now()) < 100);
  });
});
