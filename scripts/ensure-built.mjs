/** Builds the parts of dist/ that are missing or older than their sources, so that `npm start` alone is enough. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOnce } from './build-once.mjs';
import { outdated } from './outdated.mjs';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');

const server = buildOnce(
  join(dist, 'server.lock'),
  () => outdated('main.js', 'src'),
  async () => {
    console.log('Building the server …');
    const began = performance.now();
    const { buildServer } = await import('./build-server.mjs');
    await buildServer();
    console.log(`The server is built (${((performance.now() - began) / 1000).toFixed(1)} s).`);
  },
);
await Promise.all([server, import('./ensure-web.mjs')]);
