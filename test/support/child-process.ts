import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** Starts a TypeScript file of this folder in a process of its own; `firstLine` is what it says when it is ready. */
export function startChild(file: string, args: readonly string[]) {
  const script = `require(${JSON.stringify(join(__dirname, file))})`;
  const register = join(__dirname, 'ts-register.cjs');
  const child = spawn(process.execPath, ['--require', register, '-e', script, ...args], {
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
