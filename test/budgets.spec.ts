import { ModulesContainer } from '@nestjs/core';
import { LRUCache } from 'lru-cache';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type BudgetDefinition, declaredBudgets } from '../src/common/budgets/budget.js';
import { NodeKindRegistry } from '../src/flows/definition/node-kind-registry.js';
import { ToolTypes } from '../src/flows/tools/tool-types.js';
import { startTestApp, type TestApp } from './support/app.js';
import {
  BOUNDED_KINDS,
  BOUNDED_TOOLS,
  MODULE_STATE,
  NOT_HELD_FOR_CALLERS,
  STATE_THAT_GROWS,
} from './support/bounded-state.js';
import { eventually } from './support/eventually.js';
import { ServiceClient } from './support/service-client.js';

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

/** A table without the padding of the formatter. */
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

  it('stand in SECURITY.md with their figures and reasons', () => {
    const text = readFileSync(SECURITY, 'utf8');
    const [from, to] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
    if (process.env['UPDATE'] === '1')
      writeFileSync(SECURITY, `${text.slice(0, from)}\n\n${table()}\n\n${text.slice(to)}`);
    else expect(cellsOf(text.slice(from, to))).toEqual(cellsOf(table()));
  });

  /** A provider's state grows with calls unless something bounds it. */
  it('bound every field of a provider that outlives a call', () => {
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

  it('bound every module variable that outlives a call', () => {
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

describe('of concurrent calls', () => {
  let service: TestApp;
  let flow: string;
  const held: Socket[] = [];

  beforeAll(async () => {
    service = await startTestApp({ env: { MAX_IN_FLIGHT: '1' } });
    const nodes = [{ id: 'start', kind: 'start', config: {} }];
    flow = await new ServiceClient(() => service).flow({ name: 'Open', nodes, edges: [] });
  });
  afterAll(async () => {
    for (const socket of held) socket.destroy();
    await service.close();
  });

  /** Makes a call whose body does not come: it holds the only slot. */
  const hold = async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    held.push(socket);
    await once(socket, 'connect');
    const head = [`POST /api/v1/prediction/${flow} HTTP/1.1`, `Host: ${hostname}`, 'Content-Length: 100'];
    socket.write(`${[...head, 'Content-Type: application/json'].join('\r\n')}\r\n\r\n{`);
  };

  const statusOf = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const { status, body } = await fetch(`${service.url}${path}`, { method, headers });
    await body?.cancel();
    return status;
  };

  it('bound every route and page; health and the admin key have slots of their own', async () => {
    const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => /^(get|post|put|patch|delete)$/.test(method))
        .map((method) => [method.toUpperCase(), path.replaceAll(/\{[^}]+\}/g, 'x')] as const),
    );
    expect(routes.length).toBeGreaterThan(80);
    await hold();
    await eventually(async () => (await statusOf('GET', '/api/v1/version')) === 503);
    const pages = ['/', '/chat', '/console', '/docs', '/verify', '/nothing'].map(
      (path) => ['GET', path] as const,
    );
    const open: string[] = [];
    for (const [method, path] of [...routes, ...pages])
      if ((await statusOf(method, path)) !== 503) open.push(`${method} ${path}`);
    expect(open.sort()).toEqual(['GET /health/live', 'GET /health/ready']);
    const admin = { authorization: `Bearer ${service.adminKey}` };
    expect(await statusOf('GET', '/api/v1/executions', admin)).toBe(200);
  });
});
