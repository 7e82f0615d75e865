/** Builds the web pages if they are missing in dist/web or older than their sources. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOnce } from './build-once.mjs';
import { outdated } from './outdated.mjs';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');

await buildOnce(
  join(dist, 'web.lock'),
  () => outdated('web/built', 'web', 'scripts/verify'),
  async () => {
    console.log('Building the web pages …');
    const began = performance.now();
    await import('./build-web.mjs');
    console.log(`The web pages are built (${((performance.now() - began) / 1000).toFixed(1)} s).`);
  },
);
