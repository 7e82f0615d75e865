/** Starts a script that prints its address once it serves; `stop()` ends it. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export async function sideProcess(name, ...args) {
  const script = fileURLToPath(new URL(`./${name}`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const url = await new Promise((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });
  return {
    url,
    pid: child.pid,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
