import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** The Node flags of `npm start` that lower its memory use. */
export const SERVICE_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=50'];

export interface ChildOptions {
  flags?: readonly string[];
  /** Files of this folder that are loaded first. */
  required?: readonly string[];
}

/**
 * Starts a TypeScript file of this folder in its own process; `firstLine` is the line that it prints when it is ready.
 */
export function startChild(
  file: string,
  args: readonly string[],
  { flags = [], required = [] }: ChildOptions = {},
) {
  const script = `require(${JSON.stringify(join(__dirname, file))})`;
  const before = ['ts-register.cjs', ...required].flatMap((name) => ['--require', join(__dirname, name)]);
  const child = spawn(process.execPath, [...flags, ...before, '-e', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, firstLine: firstLineOf(child), exit: exitOf(child) };
}

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('exit', (code) => resolve(code)));

function firstLineOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('exit', (code) => reject(new Error(`the child ended with ${code} before it said anything`)));
  });
}
