import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns true if system calls can be made to fail here; throws otherwise under REQUIRE_SERVICES=1. */
export function straceWorks(): boolean {
  const works = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
  if (!works && process.env['REQUIRE_SERVICES'] === '1')
    throw new Error('strace is missing or may not trace, and REQUIRE_SERVICES=1');
  if (!works) process.stderr.write('SKIPPED: strace is missing or may not trace\n');
  return works;
}

export interface TracedEnd {
  /** Null if a signal ended it. */
  code: number | null;
  out: string;
  errors: string;
  /** The calls that touched the paths, in order. */
  calls: string[];
  /** True if one of them was made to fail. */
  failed: boolean;
}

export interface Fault {
  /** Name of the system call, and its number among those that touch the paths. */
  call: string;
  nth: number;
  /** `signal=KILL` before the call, or `error=ENOSPC` instead of it. */
  how: string;
}

const PATIENCE_MS = 60_000;

/** Runs a command and traces its calls that touch these paths; one of them may be made to fail. */
export async function traced(
  command: readonly string[],
  paths: readonly string[],
  { env = {}, fault }: { env?: NodeJS.ProcessEnv; fault?: Fault } = {},
): Promise<TracedEnd> {
  const inject = fault ? ['-e', `inject=${fault.call}:${fault.how}:when=${fault.nth}`] : [];
  const options = ['-f', '-q', '-e', 'trace=file,desc', ...paths.flatMap((path) => ['-P', path]), ...inject];
  const trace = join(tmpdir(), `trace-${randomUUID()}`);
  const child = spawn('strace', [...options, '-o', trace, ...command], {
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = readFileSync(trace, 'utf8');
  const calls = [...lines.matchAll(/^\d+ +(\w+)\(/gm)].map((match) => match[1]!);
  rmSync(trace);
  const failed = lines.includes('(INJECTED)') || /killed by SIGKILL/.test(lines);
  return { code, out, errors, calls, failed };
}
