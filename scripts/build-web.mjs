/** Builds the pages of `web/` into dist/web, with compressed copies of what browsers load. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';

// Whatever the environment says: it decides which React is built in.
process.env.NODE_ENV = 'production';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

await build({ configFile: join(root, 'web', 'vite.config.mjs'), configLoader: 'native' });

const assets = join(root, 'dist', 'web', 'assets');
for (const name of readdirSync(assets)) {
  const file = join(assets, name);
  const bytes = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
  writeFileSync(`${file}.gz`, gzipSync(bytes));
}

// Last: says that all of it is there, and since when.
writeFileSync(join(root, 'dist', 'web', 'built'), '');
