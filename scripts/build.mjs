/** Builds the service into dist/, then the web pages into dist/web (the first empties dist/). */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const nest = join(
  dirname(createRequire(import.meta.url).resolve('@nestjs/cli/package.json')),
  'bin',
  'nest.js',
);
const { status } = spawnSync(process.execPath, [nest, 'build'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
await import('./build-web.mjs');
