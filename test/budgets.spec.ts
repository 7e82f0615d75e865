import { ModulesContainer } from '@nestjs/core';
import { LRUCache } from 'lru-cache';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BudgetDefinition, declaredBudgets } from '../src/common/budgets/budget.js';
import { NodeKindRegistry } from '../src/flows/nodes/node-kind-registry.js';
import { ToolTypes } from '../src/flows/tools/tool-types.js';
import { startTestApp, type TestApp } from './support/app.js';
import {
  BOUNDED_KINDS,
  BOUNDED_TOOLS,
  MODULE_STATE,
  NOT_HELD_FOR_CALLERS,
  STATE_THAT_GROWS,
} from './support/bounded-state.js';

const SECURITY = join(__dirname, '..', 'SECURITY.md');
const SOURCES = join(__dirname, '..', 'src');
const [BEGIN, END] = [
  '<!-- budgets: written by test/budgets.spec.ts with UPDATE=1 -->',
  '<!-- end of budgets -->',
];

const MEGABYTE = 1024 * 1024;
const amount = (value: number, unit: string): string => {
  if (unit !== 'bytes') return `${value.toLocaleString('en-GB')} ${unit}`;
  return value >= MEGABYTE ? `${value / MEGABYTE} MB` : `${Math.round(value / 1024)} kB`;
};

const row = ({ name, unit, owner, share, total, variable, beyond, reason }: BudgetDefinition): string =>
  [
    variable === undefined ? name : `${name} (\`${variable}\`)`,
    `${amount(share, unit)} per ${owner}`,
    total === undefined ? '' : amount(total, unit),
    beyond,
    reason,
  ].join(' | ');

const table = (): string =>
  ['Budget | Share | In all | Beyond it | Why', '--- | --- | --- | --- | ---', ...declaredBudgets().map(row)]
    .map((line) => `| ${line} |`)
    .join('\n');

/** A table without the blanks by which a formatter aligns it. */
const cellsOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^[|\s-]+$/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const FRAMEWORK =
  /^(ApplicationConfig|DataSource|DiscoveryService|EntityManager|ExternalContextCreator|LazyModuleLoader|MetadataScanner|SerializedGraph)\./;

describe('budgets', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });
  afterAll(() => service.close());

  it('stand in SECURITY.md, each with its figures and their reason', () => {
    const text = readFileSync(SECURITY, 'utf8');
    const [from, to] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
    if (process.env['UPDATE'] === '1')
      writeFileSync(SECURITY, `${text.slice(0, from)}\n\n${table()}\n\n${text.slice(to)}`);
    else expect(cellsOf(text.slice(from, to))).toEqual(cellsOf(table()));
  });

  /** Whatever a provider holds beyond one call grows with calls, unless something bounds it. */
  it('bound everything that providers hold', () => {
    const found = new Set<string>();
    for (const module of service.app.get(ModulesContainer).values())
      for (const { instance } of module.providers.values()) {
        if (typeof instance !== 'object' || instance === null) continue;
        for (const [field, value] of Object.entries(instance)) {
          const kinds: (abstract new (...given: never[]) => unknown)[] = [Map, Set, Array, LRUCache];
          if (kinds.some((kind) => value instanceof kind)) found.add(`${instance.constructor.name}.${field}`);
        }
      }
    const known = [...Object.keys(STATE_THAT_GROWS), ...NOT_HELD_FOR_CALLERS];
    const ours = [...found].filter((name) => !FRAMEWORK.test(name));
    expect(ours.filter((name) => !known.includes(name)).sort()).toEqual([]);
    expect(known.filter((name) => !found.has(name)).sort()).toEqual([]);
  });

  it('bound everything that modules hold', () => {
    const holding =
      /^(?:export )?(?:const|let) (\w+)(?:: [^=\n]+)? = (?:new (?:Map|Set)(?:<[^\n]*>)?\(\)|new LRUCache\b|\[\];)/gm;
    const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'),
    );
    const found = sources.flatMap((path) =>
      [...readFileSync(join(SOURCES, path), 'utf8').matchAll(holding)].map(([, name]) => `${path} ${name}`),
    );
    expect(found.sort()).toEqual(Object.keys(MODULE_STATE).sort());
  });

  it('bound the work of every node kind and tool', () => {
    const kinds = [...service.app.get(NodeKindRegistry).all.keys()];
    expect(kinds.sort()).toEqual(Object.keys(BOUNDED_KINDS).sort());
    const { byName } = service.app.get<{ byName: ReadonlyMap<string, unknown> }>(ToolTypes);
    expect([...byName.keys()].sort()).toEqual(Object.keys(BOUNDED_TOOLS).sort());
  });
});
