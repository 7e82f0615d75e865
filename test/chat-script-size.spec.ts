import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildPages } from './support/web.js';

const built = join(resolve(__dirname, '..'), 'dist', 'web');

/** Bytes on the wire of scripts of the chat page, gzipped. */
const gzipped = (paths: Iterable<string>): number =>
  [...paths].reduce(
    (sum, path) => sum + readFileSync(join(built, `${path.replace('/web/', '')}.gz`)).length,
    0,
  );

const scriptsIn = (file: string): Set<string> =>
  new Set(readFileSync(join(built, file), 'utf8').match(/\/web\/assets\/[\w-]+\.js\b/g));

describe('the scripts of the chat page, gzipped', () => {
  beforeAll(buildPages);

  it('are at most 50 kB until it can send words', () => {
    const first = scriptsIn('chat.html');
    expect(first.size).toBeGreaterThan(0);
    expect(gzipped(first)).toBeLessThanOrEqual(50_000);
  });

  it('are at most 100 kB in all: what it loads later and stores for use offline is included', () => {
    const all = scriptsIn('chat-worker.js');
    expect([...all]).toEqual(expect.arrayContaining([...scriptsIn('chat.html')]));
    expect([...all].some((path) => path.includes('details-sheet'))).toBe(true);
    expect(gzipped(all)).toBeLessThanOrEqual(100_000);
  });

  it('contain nothing of React', () => {
    const text = [...scriptsIn('chat-worker.js')]
      .map((path) => readFileSync(join(built, path.replace('/web/', '')), 'utf8'))
      .join('\n');
    expect(text).not.toContain('react.dev/errors');
  });
});
