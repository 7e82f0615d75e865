/** Builds the pages of `web/` into dist/web, with compressed copies of the files that browsers load. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { buildChatOffline } from './build-chat-offline.mjs';

// Overrides the environment: this selects React's production build.
process.env.NODE_ENV = 'production';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

// Built beside the served pages, and moved into place when complete.
const made = join(root, 'dist', `web-${process.pid}`);
process.on('exit', () => rmSync(made, { recursive: true, force: true }));
for (const mode of ['chat', 'console', 'production'])
  await build({
    configFile: join(root, 'web', 'vite.config.mjs'),
    configLoader: 'native',
    mode,
    build: { outDir: made },
  });

await buildChatOffline(made, join(root, 'web'));

const assets = join(made, 'assets');
for (const name of readdirSync(assets)) {
  // The service serves no other names (src/console/web-pages.ts).
  if (!/^[A-Za-z0-9_-]{1,100}\.(js|css|svg)$/.test(name)) throw new Error(`${name} would not be served`);
  const file = join(assets, name);
  const bytes = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
  writeFileSync(`${file}.gz`, gzipSync(bytes));
}

// Marks a complete build, with its time.
writeFileSync(join(made, 'built'), '');
const served = join(root, 'dist', 'web');
const before = `${made}-before`;
if (existsSync(served)) renameSync(served, before);
renameSync(made, served);
rmSync(before, { recursive: true, force: true });
