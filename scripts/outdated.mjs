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

/**
 * Returns true if a file of dist/ is missing or older than its sources. A container image ships dist/ without the
 * sources.
 */
export function outdated(built, ...sources) {
  const there = sources.map((folder) => join(root, folder)).filter((folder) => existsSync(folder));
  if (there.length < sources.length) return false;
  const file = join(root, 'dist', built);
  return !existsSync(file) || there.some((folder) => statSync(file).mtimeMs < newest(folder));
}
