/** Builds when dist/ is missing or older than the sources, so that `npm start` alone is enough. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const built = join(root, 'dist', 'main.js');

function newest(directory) {
  return Math.max(
    0,
    ...readdirSync(directory, { withFileTypes: true }).map((entry) => {
      const path = join(directory, entry.name);
      return entry.isDirectory() ? newest(path) : statSync(path).mtimeMs;
    }),
  );
}

// A container image ships dist/ without the sources.
const hasSources = existsSync(join(root, 'src'));
if (hasSources && (!existsSync(built) || statSync(built).mtimeMs < newest(join(root, 'src')))) {
  console.log('Building …');
  await import('./build.mjs');
}
