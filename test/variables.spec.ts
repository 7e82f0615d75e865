import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defaults, environment } from '../src/common/environment.js';
import { samplesOf } from './support/documents.js';

const root = resolve(__dirname, '..');
const OPERATIONS = join(root, 'docs/operations/configure.md');
const [BEGIN, END] = [
  '<!-- variables: written by test/variables.spec.ts with UPDATE=1 -->',
  '<!-- end of variables -->',
];

/** The variables of the start script of `package.json`, with their defaults. */
const ofStart = [...readFileSync(join(root, 'package.json'), 'utf8').matchAll(/\$\{([A-Z_]+):-(\w+)\}/g)].map(
  ([, name, value]) => [name!, value!] as const,
);

type Variable = keyof typeof environment.shape;

function valueUnset(name: Variable): string {
  const value = defaults[name];
  if (typeof value === 'object') return 'none';
  if (value !== undefined) return `\`${String(value)}\``;
  return (environment.shape[name].meta()?.['unset'] as string | undefined) ?? 'none';
}

const table = (): string =>
  [
    ['Variable', 'Default', 'Meaning'],
    ['---', '---', '---'],
    ...(Object.keys(environment.shape) as Variable[]).map((name) => [
      `\`${name}\``,
      valueUnset(name),
      environment.shape[name].description ?? '',
    ]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

/** A table without the padding of the formatter. */
const cellsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s|-]+$/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));

describe('the variables', () => {
  it('stand in docs/operations/configure.md, each with its default and its meaning', () => {
    const text = readFileSync(OPERATIONS, 'utf8');
    const [from, to] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
    if (process.env['UPDATE'] === '1')
      writeFileSync(OPERATIONS, `${text.slice(0, from)}\n\n${table()}\n\n${text.slice(to)}`);
    else expect(cellsOf(text.slice(from, to))).toEqual(cellsOf(table()));
  });

  it('stand in the limits of README.md with their defaults', () => {
    const [, below] = readFileSync(join(root, 'README.md'), 'utf8').split(/^## Limits$/m);
    const rows = below!.split(/^## /m)[0]!.match(/^\| .*`[A-Z_]+`.*$/gm)!;
    const written = rows.flatMap((row) => {
      const [, , values, names] = row.split('|');
      const numbers = values!.replaceAll(',', '').match(/\d+/g)!;
      return [...names!.matchAll(/`([A-Z_]+)`/g)].map(([, name], index) => [name!, Number(numbers[index])]);
    });
    expect(written.length).toBeGreaterThan(10);
    expect(written).toEqual(written.map(([name]) => [name, defaults[name as Variable]]));
  });

  it('have the form that lines of settings in docs/operations show', () => {
    const shown = ['databases', 'scale', 'storage'].map((page) => {
      const blocks = samplesOf(`docs/operations/${page}.md`).filter(({ kind }) => kind === 'text');
      const found = blocks.flatMap(({ text }) => [...text.matchAll(/\b([A-Z_]+)=(?:'([^']*)'|(\S+))/g)]);
      return Object.fromEntries(found.map(([, name, quoted, plain]) => [name!, quoted ?? plain!]));
    });
    expect(shown.map((settings) => Object.keys(settings))).toEqual([
      ['DATABASE_URL'],
      ['DATABASE_URL', 'DATA_DIR', 'PORT'],
      ['STORAGE_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
    ]);
    for (const settings of shown)
      expect(Object.keys(environment.parse(settings))).toEqual(expect.arrayContaining(Object.keys(settings)));
  });

  it('each have a description', () => {
    const silent = Object.entries(environment.shape).filter(([, { description }]) => !description);
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  it('of the start script stand beside them, with their defaults', () => {
    const text = readFileSync(OPERATIONS, 'utf8');
    expect(ofStart.map(([name]) => name)).toContain('MAX_HEAP_MB');
    for (const [name, value] of ofStart) expect(text).toContain(`\`${name}\` (\`${value}\``);
  });
});
