import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildPages } from './support/web.js';

const assets = join(resolve(__dirname, '..'), 'dist', 'web', 'assets');

/** Returns a script of the console and all that it imports at once; scripts loaded on demand are left out. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || !existsSync(join(assets, file))) return found;
  found.add(file);
  const text = readFileSync(join(assets, file), 'utf8');
  for (const [, name] of text.matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g))
    withImports(name!, found);
  return found;
}

const gzipped = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + readFileSync(join(assets, `${file}.gz`)).length, 0);

describe('the scripts of the flow editor, gzipped', () => {
  beforeAll(buildPages);

  it('are at most 250 kB beyond those of the console, without the text editor', () => {
    const files = readdirSync(assets).filter((name) => name.endsWith('.js'));
    const named = (name: string) => files.filter((file) => file.startsWith(`${name}-`));
    const html = readFileSync(join(assets, '..', 'console.html'), 'utf8');
    const console = new Set<string>();
    for (const [, file] of html.matchAll(/assets\/([\w-]+\.js)/g)) withImports(file!, console);
    const editor = new Set<string>();
    const flows = named('routes').filter((file) => withImports(file).size > 0 && isOfFlows(file));
    const late = ['flow-canvas', 'node-form', 'flow-form'].map(named);
    for (const file of [...flows, ...late.flat()]) withImports(file, editor);
    expect([flows, ...late].map(({ length }) => length)).toEqual([1, 1, 1, 1]);
    expect(console.size).toBeGreaterThan(3);
    const own = [...editor].filter((file) => !console.has(file));
    expect(own.filter((file) => file.startsWith('json-editor-'))).toEqual([]);
    expect(gzipped(own)).toBeLessThanOrEqual(250_000);
  });

  const isOfFlows = (file: string): boolean =>
    readFileSync(join(assets, file), 'utf8').includes('json-editor-');
});
