import { startTestApp, type TestApp } from './support/app.js';
import { recordPhotograph } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';

type Schema = {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
};

interface Operation {
  parameters?: { name: string; in: string; example?: string }[];
  requestBody?: {
    content: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;
  };
}

/** Phrases of a library, not of a person. */
const RAW =
  /^(invalid|too (big|small|few|many)|unrecogni[sz]ed|expected)\b|\b(expected|received|undefined|NaN)\b|=>|regex/i;

/** Values each of which is wrong for some member: together they trigger every kind of fault. */
const WRONG = [
  undefined,
  null,
  7,
  -1.5,
  true,
  '',
  'x\u0000',
  {},
  [],
  { unknown: 1 },
  ['', 7],
  'y'.repeat(30_000),
];

const DEEPEST = 7;

/** Returns the path of every place in the values of a schema. */
function placesIn(schema: Schema, path: readonly string[] = []): string[][] {
  if (path.length > DEEPEST) return [];
  const below = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => placesIn(part, [...path, name])),
    ...(schema.items ? placesIn(schema.items, [...path, '0']) : []),
    ...[schema.anyOf, schema.oneOf, schema.allOf]
      .flatMap((parts) => parts ?? [])
      .flatMap((part) => placesIn(part, path)),
  ];
  return [[...path], ...below];
}

/** Returns a copy of `value` with `part` at `path`; missing parents are created. */
function withPart(value: unknown, path: readonly string[], part: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return part;
  if (name === '0') {
    const list: unknown[] = Array.isArray(value) ? [...(value as unknown[])] : [];
    list[0] = withPart(list[0], rest, part);
    return list;
  }
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { ...members, [name]: withPart((members as Record<string, unknown>)[name], rest, part) };
}

describe('the messages of faults', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);
  /** Real ids for addresses, by a part of them; all others name the sample flow. */
  const named: Record<string, string> = {};
  let callers = 0;
  /** An admin at an address of its own, which is not blocked for requesting unknown ids. */
  const admin = () => ({
    authorization: `Bearer ${service.adminKey}`,
    'x-forwarded-for': `10.${++callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`,
  });

  beforeAll(async () => {
    service = await startTestApp({
      env: { SAMPLES: 'on', INITIAL_CREDIT: '1000000', TRUST_PROXY: '1' },
    });
    const embedding = { provider: 'ollama', name: 'none' };
    const store = await client.admin('POST', 'document-stores', { name: 'Manuals', embedding });
    const place = { flowId: 'inspection-assistant', sessionId: 'faults' };
    const { id: photograph } = await recordPhotograph(service, place);
    const remarked = await client.admin('POST', 'inspection/capture', {
      ...{ ...place, remark: 'The tap drips.' },
      observations: [{ item: 'Tap' }],
    });
    const ids = { ...place, sessionId: 'reported' };
    await recordPhotograph(service, ids);
    const rendered = await client.admin('POST', 'pdf/render', {
      templateId: 'inspection',
      source: { type: 'inspection', meta: {}, ...ids },
    });
    Object.assign(named, {
      '/document-stores/': store.body.id as string,
      '/photographs/': photograph,
      '/remarks/': (remarked.body.remark as { id: string }).id,
      '/facts/': (remarked.body.recordedFacts as { id: string }[])[0]!.id,
      '/reports/': (rendered.body.file as { id: string }).id,
    });
  });

  afterAll(() => service.close());

  async function operations(): Promise<{ method: string; address: string; operation: Operation }[]> {
    const { body } = await client.send('GET', '/openapi.json');
    const paths = body.paths as Record<string, Record<string, Operation>>;
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const examples = new Map(operation.parameters?.map(({ name, example }) => [name, example]));
        const part = Object.keys(named).find((each) => path.includes(each));
        const id = part === undefined ? 'inspection-assistant' : named[part]!;
        const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => examples.get(name) ?? id);
        return { method: method.toUpperCase(), address, operation };
      }),
    );
  }

  /** Sends a wrong call, and notes each fault that is not in plain words. */
  async function faultsAt(method: string, address: string, body: unknown, raw: Set<string>): Promise<number> {
    const { status, body: answer } = await client.send(method, address, body, admin());
    if (status >= 500) raw.add(`${method} ${address}: ${status}`);
    const faults = (answer?.errors ?? answer?.error?.errors ?? []) as { path: string; message: string }[];
    for (const { path, message } of faults)
      // Quoted words are values that may be sent.
      if (RAW.test(message.replaceAll(/"[^"]*"/g, '""'))) raw.add(`${method} ${address}: ${path} ${message}`);
    return faults.length;
  }

  it('are in plain words, whatever is wrong with a body, on every route that takes one', async () => {
    const raw = new Set<string>();
    const silent: string[] = [];
    for (const { method, address, operation } of await operations()) {
      const json = operation.requestBody?.content['application/json'];
      if (!json) continue;
      const [first] = Object.values(json.examples ?? {});
      const places = [...new Map(placesIn(json.schema).map((path) => [path.join('.'), path])).values()];
      let faults = 0;
      for (const path of places)
        for (const wrong of WRONG) {
          const body = withPart(first?.value ?? {}, path, wrong);
          if (body !== undefined) faults += await faultsAt(method, address, body, raw);
        }
      if (faults === 0) silent.push(`${method} ${address}`);
    }
    expect([...raw]).toEqual([]);
    expect(silent).toEqual([]);
  }, 180_000);

  it('are in plain words, whatever is wrong with a query', async () => {
    const raw = new Set<string>();
    let faults = 0;
    for (const { method, address, operation } of await operations()) {
      if (method !== 'GET' || address.endsWith('/stream')) continue;
      for (const { name } of (operation.parameters ?? []).filter((parameter) => parameter.in === 'query'))
        for (const value of ['', 'x', '-1', '1.5', '99999999', 'y'.repeat(2_000)])
          faults += await faultsAt(method, `${address}?${name}=${value}`, undefined, raw);
    }
    expect([...raw]).toEqual([]);
    expect(faults).toBeGreaterThan(30);
  });
});
