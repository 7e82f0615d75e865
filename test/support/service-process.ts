import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { eventually } from './eventually.js';

const register = join(__dirname, 'ts-register.cjs');
const main = join(__dirname, '..', '..', 'src', 'main.ts');

/** The service in its own process, started as an operator does. */
export interface ServiceProcess {
  child: ChildProcess;
  /** Its standard error so far. */
  said(): string;
  /** Its address once it is ready; undefined if it ended first. */
  ready: Promise<string | undefined>;
  /** Its exit code; null if a signal ended it. */
  exit: Promise<number | null>;
  /** Kills it. */
  kill(): Promise<void>;
}

/** Starts `main.ts` with these variables and none of the suite's. */
export function startService(env: Readonly<Record<string, string>>): ServiceProcess {
  const child = spawn(process.execPath, ['--require', register, '-e', `require(${JSON.stringify(main)})`], {
    env: { PATH: process.env['PATH'], PORT: '0', SAMPLES: 'off', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let logged = '';
  let errors = '';
  let ended = false;
  child.stdout.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exit = new Promise<number | null>((resolve) =>
    child.once('close', (code) => resolve(((ended = true), code))),
  );
  const portOf = () => /"port":(\d+).*"ready"/.exec(logged)?.[1];
  return {
    child,
    said: () => errors,
    exit,
    ready: eventually(() => ended || portOf() !== undefined).then(() =>
      ended ? undefined : `http://127.0.0.1:${portOf()}`,
    ),
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
