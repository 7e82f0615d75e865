/** `npm run start:dev`: runs the service from its sources, compiled and restarted after each change. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import './ensure-built.mjs';

const tsc = join(dirname(createRequire(import.meta.url).resolve('ts7/package.json')), 'bin', 'tsc');
const programs = [
  [tsc, '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
  ['--watch', '--watch-preserve-output', 'dist/main.js'],
].map((args) => spawn(process.execPath, args, { stdio: 'inherit' }));
for (const program of programs)
  program.once('exit', (code) => {
    for (const other of programs) other.kill();
    process.exitCode ??= code ?? 0;
  });
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => programs.forEach((one) => one.kill(signal)));
