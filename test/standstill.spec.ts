import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { echoFlow } from './support/flows.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Another process that is suspended in the middle of a write. */
async function standingStill(databaseUrl: string): Promise<ChildProcess> {
  const register = join(__dirname, 'support', 'ts-register.cjs');
  const script = `require(${JSON.stringify(join(__dirname, 'support', 'sqlite-holder.ts'))})`;
  const file = databaseUrl.replace(/^sqlite:/, '');
  const child = spawn(process.execPath, ['--require', register, '-e', script, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGSTOP');
  return child;
}

describe('a service on SQLite beside a process suspended in a write', () => {
  let app: TestApp;
  let other: ChildProcess;
  const client = new ServiceClient(() => app);

  beforeEach(async () => {
    app = await startTestApp({ database: 'sqlite' });
  });

  afterEach(async () => {
    other.kill('SIGKILL');
    await app.close();
  });

  async function timed(call: Promise<Answer>): Promise<Answer & { ms: number }> {
    const begun = performance.now();
    return { ...(await call), ms: performance.now() - begun };
  }

  const balance = async () => (await client.admin('GET', 'credit/default')).body.balance as number;

  it.each([
    ['continues', () => (other.kill('SIGCONT'), other.stdin!.end())],
    ['is killed', () => other.kill('SIGKILL')],
  ] as const)('refuses writes in bounded time, and continues when that process %s', async (_, end) => {
    const flow = await client.flow(echoFlow());
    const before = await balance();
    other = await standingStill(app.place.databaseUrl);

    const call = () => timed(client.predict(flow, { question: 'Hello' }));
    const reading = () => timed(client.admin('GET', 'executions?limit=10'));
    const ready = () => timed(client.send('GET', '/health/ready'));
    const first = call();
    const unready = ready();
    await sleep(2_000);
    const behind = call();
    // Nobody else waits meanwhile: the event loop runs, and reads are answered.
    expect((await timed(client.send('GET', '/health/live'))).ms).toBeLessThan(5_000);
    const refused = [await first, await behind];
    const later = [call(), call(), call()];
    const read = await reading();
    expect(read.status).toBe(200);
    expect(read.ms).toBeLessThan(10_000);
    refused.push(...(await Promise.all(later)));
    for (const { status, body, headers } of refused) {
      expect({ status, body }).toMatchObject({ status: 503, body: { code: 'overloaded' } });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const waited = refused.map(({ ms }) => Math.round(ms));
    expect(Math.max(...waited.slice(0, 2))).toBeLessThan(30_000);
    // A caller who comes later does not wait as long as the first.
    expect(Math.max(...waited.slice(2))).toBeLessThan(waited[0]!);

    expect(await unready).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    expect((await unready).ms).toBeLessThan(10_000);

    end();
    await eventually(async () => (await call()).status === 200);
    expect((await call()).status).toBe(200);
    await eventually(async () => (await ready()).status === 200);
    // Only those two were charged.
    expect(before - (await balance())).toBe(2);
    for (const { headers } of refused) {
      const record = await client.ended(headers.get('x-execution-id')!);
      expect(record).toMatchObject({ httpStatus: 503, code: 'overloaded', credits: 0 });
    }
  });
});
