/** Builds the service worker and the icons with which the chat page opens offline and can be installed. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { build } from 'vite';

const ICON_SIZES = [192, 512];
/** Background of the mark: a launcher cuts a maskable icon to its own shape, and preserves the middle four fifths. */
const GROUND = '#0f5a60';

/** Writes into `made`, the folder of the built pages, from `web`, that of their sources. */
export async function buildChatOffline(made, web) {
  const files = filesOf(made);
  await writeWorker(made, web, files);
  await writeIcons(made, join(web, 'icon.svg'));
}

/** Returns the files that the chat page loads, in any way, as paths; its entry script comes first. */
function filesOf(made) {
  const html = readFileSync(join(made, 'chat.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="(\/web\/assets\/[^"]+)"/g)].map(([, path]) => path);
  const main = named.find((path) => path.endsWith('.js'));
  if (main === undefined) throw new Error('chat.html loads no script');
  const seen = new Set([main, ...named]);
  for (const path of seen) {
    if (!path.endsWith('.js')) continue;
    const text = readFileSync(join(made, path.replace('/web/', '')), 'utf8');
    for (const [, next] of text.matchAll(/(?:\bfrom|\bimport\(?)\s*["'`](\.[^"'`]+)["'`]/g))
      seen.add(new URL(next, `http://x${path}`).pathname);
  }
  return [...seen];
}

async function writeWorker(made, web, files) {
  const page = readFileSync(join(made, 'chat.html'));
  const version = createHash('sha256').update(page).update(files.join()).digest('hex').slice(0, 16);
  const worker = await build({
    configFile: false,
    logLevel: 'warn',
    define: {
      FILES: JSON.stringify(files),
      MAIN: JSON.stringify(files[0]),
      VERSION: JSON.stringify(version),
    },
    build: {
      write: false,
      target: ['chrome109', 'firefox115', 'safari16'],
      lib: { entry: join(web, 'worker', 'worker.ts'), formats: ['iife'], name: 'chatWorker' },
    },
  });
  const [{ output }] = [worker].flat();
  writeFileSync(join(made, 'chat-worker.js'), output[0].code);
}

async function writeIcons(made, mark) {
  const drawn = (size) => sharp(mark, { density: (72 * size) / 32 }).resize(size, size);
  for (const size of ICON_SIZES)
    await drawn(size)
      .png()
      .toFile(join(made, `icon-${size}.png`));
  const inner = Math.round(512 * 0.8);
  const edge = (512 - inner) / 2;
  await sharp(await drawn(inner).png().toBuffer())
    .extend({ top: edge, bottom: edge, left: edge, right: edge, background: GROUND })
    .flatten({ background: GROUND })
    .png()
    .toFile(join(made, 'icon-maskable.png'));
}
