import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environment } from '../src/common/environment.js';

const root = resolve(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Those of the start script of `package.json`, with their defaults. */
const ofStart = [...read('package.json').matchAll(/\$\{([A-Z_]+):-(\w+)\}/g)].map(
  ([, name, value]) => [name!, value!] as const,
);

/** Every variable with its default, as a table says it; undefined where none stands in the code that reads it. */
const known = new Map<string, string | undefined>([
  ...Object.keys(environment.shape).map((name) => [name, undefined] as const),
  ...Object.entries(environment.parse({})).map(([name, value]) => [name, inTable(value)] as const),
  ...ofStart,
]);

function inTable(value: unknown): string | undefined {
  if (typeof value === 'object') return 'none';
  return value === undefined ? undefined : JSON.stringify(value).replaceAll('"', '');
}

interface Told {
  name: string;
  value: string | undefined;
}

/**
 * The variables in the table below "## Configuration". `_NAME` takes the beginning of the first name of its row; one
 * default goes for all names of its row.
 */
function toldIn(text: string): Told[] {
  const rows =
    text
      .split(/^## Configuration$/m)[1]!
      .split(/^## /m)[0]!
      .match(/^\| `.*$/gm) ?? [];
  return rows.flatMap((row) => {
    const [names, defaults] = row.split('|').slice(1, 3) as [string, string];
    const values = defaults.replaceAll('`', '').split(',');
    const written = [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name!);
    const beginning = written[0]!.replace(/_[A-Z0-9]+$/, '');
    return written.map((name, index) => ({
      name: name.startsWith('_') ? beginning + name : name,
      value: (values.length === 1 ? values[0] : values[index])?.trim(),
    }));
  });
}

/** Names that nothing reads, and defaults other than the code's. */
const faultsOf = (told: readonly Told[]): string[] =>
  told
    .filter(({ name, value }) => !known.has(name) || (known.get(name) ?? value) !== value)
    .map(({ name, value }) => `${name}: ${value}`);

describe('the tables of variables', () => {
  const operations = read('docs/operations.md');

  it('name in docs/operations.md each variable that is read, once', () => {
    const names = toldIn(operations).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(50);
    expect(names.toSorted()).toEqual([...known.keys()].toSorted());
  });

  it.each(['docs/operations.md', 'README.md'])('give in %s the defaults of the code', (path) => {
    const told = toldIn(read(path));
    expect(told.length).toBeGreaterThan(30);
    expect(faultsOf(told)).toEqual([]);
  });

  it('are read so that a wrong default, a name that nobody reads and one that is missing would be found', () => {
    const table =
      '## Configuration\n\n| `PORT`, `HOST` | 3001, 127.0.0.1 | |\n| `MAX_X`, `_Y` | 1 | |\n\n## More\n';
    expect(toldIn(table).map(({ name }) => name)).toEqual(['PORT', 'HOST', 'MAX_X', 'MAX_Y']);
    expect(faultsOf(toldIn(table))).toEqual(['PORT: 3001', 'MAX_X: 1', 'MAX_Y: 1']);
  });
});
