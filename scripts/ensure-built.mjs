/** Builds what is missing in dist/ or older than its sources, so that `npm start` alone is enough. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

function newest(directory) {
  return Math.max(
    0,
    ...readdirSync(directory, { withFileTypes: true }).map((entry) => {
      const path = join(directory, entry.name);
      return entry.isDirectory() ? newest(path) : statSync(path).mtimeMs;
    }),
  );
}

/** A container image ships dist/ without the sources. */
function outdated(built, sources) {
  if (!existsSync(join(root, sources))) return false;
  const file = join(root, 'dist', built);
  return !existsSync(file) || statSync(file).mtimeMs < newest(join(root, sources));
}

if (outdated('main.js', 'src')) {
  console.log('Building …');
  await import('./build.mjs');
} else if (outdated(join('web', 'built'), 'web')) {
  console.log('Building the web pages …');
  await import('./build-web.mjs');
}
