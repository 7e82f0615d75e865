import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEST_ADMIN_KEY } from './support/app.js';
import { makePlace, type TestPlace } from './support/databases.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

const register = join(__dirname, 'support', 'ts-register.cjs');
const main = join(__dirname, '..', 'src', 'main.ts');
const start = (
  JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as { scripts: { start: string } }
).scripts.start;

/** Runs `main` without a build, with node and with the start script of `package.json`. */
const fromSource = `--require ${register} -e 'require(${JSON.stringify(main)})'`;
const startScript = start.replace('dist/main.js', fromSource);

interface Running {
  child: ChildProcess;
  url: string;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
  /** The messages of its log, and the signal if one names it. */
  log: () => (string | undefined)[][];
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('a service that receives a signal', () => {
  let place: TestPlace;
  let model: FakeModel;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    model = await startFakeModel();
    place = await makePlace();
  });

  afterAll(async () => {
    for (const { pid, exitCode, signalCode } of children) {
      if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
    }
    await model.close();
    await place.remove();
  });

  /** Starts the service in a process group of its own, and waits until it is ready. */
  async function started(command: string, args: readonly string[]): Promise<Running> {
    const child = spawn(command, args, {
      cwd: place.dataDir,
      detached: true,
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        DATA_DIR: place.dataDir,
        DATABASE_URL: place.databaseUrl,
        ADMIN_API_KEY: TEST_ADMIN_KEY,
        SAMPLES: 'off',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
      // After the last of its log has been read.
      child.once('close', (code, signal) => resolve(code ?? signal)),
    );
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const port = () => /"port":(\d+)/.exec(output)?.[1];
    await eventually(() => port() !== undefined || child.exitCode !== null);
    const log = () =>
      output
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as { msg: string; signal?: string })
        .map(({ msg, signal }) => [msg, signal]);
    return { child, url: `http://127.0.0.1:${port()}`, ended, log };
  }

  const byNode = () =>
    started(process.execPath, ['--require', register, '-e', `require(${JSON.stringify(main)})`]);

  function byNpm(): Promise<Running> {
    writeFileSync(join(place.dataDir, 'package.json'), JSON.stringify({ scripts: { start: startScript } }));
    return started('npm', ['start', '--silent']);
  }

  const clientOf = ({ url }: Running) => new ServiceClient(() => ({ url, adminKey: TEST_ADMIN_KEY }));

  /** Starts a run that its model holds. */
  async function heldRun(service: Running, account: string) {
    const client = clientOf(service);
    const held = new Hold();
    const flow = await client.flow(chatFlow(model.url, { account }));
    await client.admin('POST', `credit/${account}/top-ups`, { amount: 5, reference: 'r' });
    const before = model.requests.length;
    model.answers.push({ tokens: ['in time'], held });
    const answer = client.predict(flow, { question: 'Hello' });
    await eventually(() => model.requests.length > before);
    return { answer, held, flow };
  }

  const stopping = (service: Running) =>
    eventually(async () => (await fetch(`${service.url}/health/ready`)).status === 503);

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'exits with 0 on %s, and logs the beginning and end of the shutdown',
    async (signal) => {
      const { child, ended, log } = await byNode();
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(log()).toEqual([
        ['ready', undefined],
        [expect.stringMatching(/^stopping: /), signal],
        ['stopped', undefined],
      ]);
    },
  );

  it('exits with 0 when npm, which started it, gets the signal, once active runs are answered', async () => {
    const service = await byNpm();
    const { answer, held } = await heldRun(service, 'told');
    service.child.kill('SIGTERM');
    await stopping(service);
    held.letGo();
    expect((await answer).body.text).toBe('in time');
    expect(await service.ended).toBe(0);
  });

  it('counts a signal of a terminal to its whole group, npm and the service, once', async () => {
    const service = await byNpm();
    const { answer, held } = await heldRun(service, 'terminal');
    process.kill(-service.child.pid!, 'SIGINT');
    // Leaves npm time to pass on a signal that the service has already received.
    await sleep(100);
    process.kill(-service.child.pid!, 'SIGINT');
    await stopping(service);
    await sleep(300);
    held.letGo();
    expect((await answer).body.text).toBe('in time');
    expect(await service.ended).toBe(0);
  });

  it('exits at once, and not with 0, at a second signal', async () => {
    const service = await byNode();
    const { answer } = await heldRun(service, 'again');
    const broken = expect(answer).rejects.toThrow();
    service.child.kill('SIGTERM');
    await stopping(service);
    await sleep(1_000);
    service.child.kill('SIGTERM');
    const end = await Promise.race([service.ended, sleep(3_000).then(() => 'still there')]);
    expect(end).toBe(1);
    expect(service.log().map(([line]) => line)).not.toContain('stopped');
    await broken;
  });

  it('cancels a run that takes longer than 8 seconds: 503, refunded, also in a stream; the exit is clean', async () => {
    const service = await byNode();
    const { answer, flow } = await heldRun(service, 'cut');
    model.answers.push({ tokens: ['never'], held: new Hold() });
    const before = model.requests.length;
    const stream = await clientOf(service).stream(flow, { question: 'Hello' });
    await eventually(() => model.requests.length > before);
    service.child.kill('SIGTERM');
    const { status, body, headers } = await answer;
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'shutting_down' } });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    await stream.done;
    expect(stream.events.slice(-3).map(({ event, data }) => [event, data])).toEqual([
      ['agentFlowEvent', 'ERROR'],
      ['error', body.message],
      ['end', '[DONE]'],
    ]);
    expect(await service.ended).toBe(0);

    const again = await byNode();
    const later = clientOf(again);
    for (const id of [body.executionId as string, stream.headers.get('x-execution-id')!]) {
      expect(await later.ended(id)).toMatchObject({ status: 'failed', code: 'interrupted', httpStatus: 503 });
    }
    expect((await later.admin('GET', 'credit/cut')).body.balance).toBe(5);
    again.child.kill('SIGTERM');
    expect(await again.ended).toBe(0);
  });
});
