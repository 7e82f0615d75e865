import { join, resolve } from 'node:path';
import { circlesIn, filesUnder, folderImports } from './support/imports.js';
import { addressesIn, modulesOfRoutes } from './support/route-addresses.js';
import { exportedBy, readSource, type Source } from './support/sources.js';

const root = resolve(__dirname, '..');
const src = join(root, 'src');

/** The layer of each module. A module imports only modules of lower layers. */
const layers: Record<string, number> = {
  api: -1,
  common: 0,
  database: 0,
  storage: 0,
  executions: 1,
  flows: 1,
  auth: 2,
  documents: 2,
  prediction: 3,
  inspection: 3,
  pdf: 4,
  moving: 4,
  console: 5,
};

/** Pairs of a folder and one inside it that import each other, with the reason. */
const BOTH_WAYS: Record<string, string> = {
  'common ↔ common/secrets': 'The environment checks a secret by its kind; secrets read the configuration.',
};

const sources = filesUnder(src)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => readSource(src, file));
const modules = sources.filter((source) => source.module in layers);

const offenders = (uses: (source: Source) => boolean, allowed: (path: string) => boolean): string[] =>
  sources.filter((source) => uses(source) && !allowed(source.path)).map((source) => source.path);

const importsAny =
  (...names: string[]) =>
  (source: Source) =>
    source.imports.some((name) => names.some((wanted) => name === wanted || name.startsWith(`${wanted}/`)));

const under =
  (...folders: string[]) =>
  (path: string) =>
    folders.some((folder) => path.startsWith(folder));

describe('the architecture', () => {
  it('covers every import of its modules', () => {
    const top = sources.find(({ path }) => path === 'app.module.ts');
    expect(top?.imports).toEqual(expect.arrayContaining(['@nestjs/common', 'console/console.module.ts']));
    expect(top?.runtime).toContain('pdf/pdf.module.ts');
  });

  it('gives every module a layer', () => {
    const unknown = new Set(
      sources
        .filter((source) => source.path.includes('/') && !(source.module in layers))
        .map((s) => s.module),
    );
    expect([...unknown]).toEqual([]);
  });

  it('imports downwards only, and in the lowest layer only from common', () => {
    const wrong: string[] = [];
    for (const source of modules) {
      for (const imported of source.imports.filter((name) => name.endsWith('.ts'))) {
        const module = imported.split('/')[0]!;
        if (module === source.module) continue;
        const isCommon = layers[source.module] === 0 && layers[module] === 0 && module === 'common';
        if (!(module in layers) || (layers[module]! >= layers[source.module]! && !isCommon))
          wrong.push(`${source.path} → ${imported}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('names no address of another module in the lower layers: a route declares itself where it stands', () => {
    const owners = [...modulesOfRoutes(modules)];
    const wrong = modules
      // `api` describes addresses; those of models belong to other services.
      .filter(({ path, module }) => layers[module]! <= 2 && !/^(api|flows\/models)\//.test(path))
      .flatMap(({ path, module, text }) => {
        const others = owners.filter(([, of]) => !of.has(module)).map(([name]) => name);
        // A provider of models there.
        const names = path === 'common/environment.ts' ? others.filter((name) => name !== 'openai') : others;
        // The same words name tables and kinds of records elsewhere.
        return addressesIn(text, names, module === 'common').map((name) => `${path}: ${name}`);
      });
    expect(wrong).toEqual([]);
  });

  it('detects an address', () => {
    const owners = modulesOfRoutes(modules);
    expect([owners.get('prediction'), owners.get('pdf'), owners.get('flows'), owners.get('docs')]).toEqual([
      new Set(['prediction']),
      new Set(['pdf']),
      new Set(['prediction', 'flows']),
      new Set(['console']),
    ]);
    const found = (code: string, words = false) => addressesIn(code, ['pdf', 'chat'], words);
    expect(found("startsWith('/api/v1/pdf/render')")).toEqual(['pdf']);
    expect(found("case 'pdf/': return `${origin}/chat/${id}`")).toEqual(['pdf', 'chat']);
    expect(found("'open /chat, then'")).toEqual(['chat']);
    expect(found("'application/pdf', 'application/chat/'")).toEqual(['chat']);
    expect(found("new Set(['pdf', 'chat'])", true)).toEqual(['pdf', 'chat']);
    expect(
      found("import { a } from '../pdf/a.js';\n/** Of `/chat/x`. */\nconst a = 'pdf'; // as /chat/"),
    ).toEqual([]);
  });

  it('keeps the API shapes pure: they import only zod, and files of terms, which pages load, import nothing', () => {
    const wrong = sources
      .filter(({ module }) => module === 'api')
      .flatMap(({ path, imports }) => {
        const allowed = (name: string) =>
          name.startsWith('api/') || (name === 'zod' && !path.endsWith('-terms.ts'));
        return imports.filter((name) => !allowed(name)).map((name) => `${path} → ${name}`);
      });
    expect(wrong).toEqual([]);
  });

  it('has no import circle', () => {
    const ours = sources.map(
      ({ path, imports }) => [path, imports.filter((name) => name.endsWith('.ts'))] as const,
    );
    expect(circlesIn(new Map(ours))).toEqual([]);
  });

  it('detects an import circle', () => {
    const imports = { a: ['b', 'c'], b: ['c'], c: ['a'], d: ['a'] };
    expect(circlesIn(new Map(Object.entries(imports)))).toEqual(['a → b → c → a']);
  });

  it('has no circle of folders within a module', () => {
    const ours = sources
      // A module file assembles its folders.
      .filter(({ path }) => !path.endsWith('.module.ts'))
      .map(({ path, imports }) => [path, imports.filter((name) => name.endsWith('.ts'))] as const);
    const isAllowed = (outer: string, inner: string) => `${outer} ↔ ${inner}` in BOTH_WAYS;
    expect(circlesIn(folderImports(new Map(ours), isAllowed))).toEqual([]);
  });

  it('detects a circle of folders', () => {
    const imports = new Map([
      ['m/a/1.ts', ['m/b/1.ts', 'n/a/1.ts']],
      ['m/b/2.ts', ['m/c/1.ts', 'm/b/in/1.ts']],
      ['m/b/in/1.ts', ['m/b/3.ts']],
      ['m/c/2.ts', ['m/a/2.ts']],
    ]);
    expect(circlesIn(folderImports(imports, () => true))).toEqual(['m/a → m/b → m/c → m/a']);
    expect(circlesIn(folderImports(imports, () => false))).toContain('m/b → m/b/in → m/b');
  });

  it('has no barrels and no folders without a subject', () => {
    const barrels = sources
      .filter((source) => /(^|\/)index\.ts$/.test(source.path))
      .map((source) => source.path);
    const vague = sources
      .filter((source) => /(^|\/)(utils?|helpers?|shared|core)\//.test(source.path))
      .map((source) => source.path);
    expect([...barrels, ...vague]).toEqual([]);
  });

  it('exports no name twice', () => {
    const places = new Map<string, string[]>();
    for (const { path, text } of sources)
      for (const name of exportedBy(text)) places.set(name, [...(places.get(name) ?? []), path]);
    expect(places.size).toBeGreaterThan(500);
    // Two readers of base64, each with its own refusals.
    places.delete('decodeBase64');
    const shared = [...places].filter(([, paths]) => paths.length > 1);
    expect(shared.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([]);
  });

  it('finds the exported names of a file, in any syntax', () => {
    const text = [
      'export abstract class A {}',
      'export async function b() {}',
      'export const c = 1;',
      'export default function d() {}',
      'function inner() {}',
      "export type { E, F as G } from './e.js';",
      'export {\n  H,\n  type I,\n};',
      'export const enum J {}',
    ];
    expect([...exportedBy(text.join('\n'))].sort()).toEqual(['A', 'E', 'G', 'H', 'I', 'J', 'b', 'c', 'd']);
  });

  it('stands at most three folders deep', () => {
    expect(
      sources.filter((source) => source.path.split('/').length > 4).map((source) => source.path),
    ).toEqual([]);
  });

  it('keeps the engine, the report and the templates pure', () => {
    const pure = under('flows/engine/', 'inspection/report/', 'pdf/templates/');
    const impure = importsAny('@nestjs', 'typeorm', 'express');
    expect(
      sources.filter((source) => pure(source.path) && impure(source)).map((source) => source.path),
    ).toEqual([]);
  });

  it('names a single report template only in its folder, in the list, and where it is the default', () => {
    const single = ({ imports }: Source) => imports.some((name) => /^pdf\/templates\/[^/]+\//.test(name));
    const allowed = ['pdf/templates', 'pdf/drawing/report-contents.ts', 'pdf/render/flow-renders.ts'];
    expect(offenders(single, under(...allowed))).toEqual([]);
  });

  it('formats schema faults in plain-faults only', () => {
    // The last two pass on the formatted faults of an inner schema.
    const allowed = [
      'common/plain-faults',
      'flows/definition/flow-definition',
      'flows/import/agentflow-export',
    ];
    expect(
      offenders(
        (source) => /\berror\??\.issues\b/.test(source.text),
        under(...allowed.map((path) => `${path}.ts`)),
      ),
    ).toEqual([]);
  });

  it('reads the environment in app-config only', () => {
    expect(
      offenders(
        (source) => source.text.includes('process.env'),
        (path) => path === 'common/app-config.ts',
      ),
    ).toEqual([]);
  });

  it('reads the time in clock only', () => {
    const asks = (source: Source) =>
      /\bDate\.now\(|new Date\(\)|performance\.now\(|DateTime\.(now|local|utc)\(\)/.test(source.text);
    // A worker has no injector; it measures its own steps, as does the handle of a sandbox.
    const allowed = (path: string) =>
      ['common/clock.ts', 'flows/nodes/function/sandbox-process.ts'].includes(path) ||
      path.endsWith('-worker.ts');
    expect(offenders(asks, allowed)).toEqual([]);
  });

  it('sets time limits with signals that are not garbage-collected before they fire', () => {
    expect(
      offenders(
        ({ text }) => text.includes('AbortSignal.timeout('),
        (path) => path === 'common/time-limit.ts',
      ),
    ).toEqual([]);
  });

  it('reads and writes secrets in common/secrets only, and signs with them in one place', () => {
    const files = /['"](admin-key|link-secret|seal-key|credentials-key)['"]/;
    expect(offenders(({ text }) => files.test(text), under('common/secrets/'))).toEqual([]);
    const signs = /\bcreateHmac\b|\bopenSecret\b/;
    expect(offenders(({ text }) => signs.test(text), under('common/secrets/'))).toEqual([]);
  });

  it('touches files in storage, secrets, workers, app-config and lasting-folder only', () => {
    const allowed = (path: string) =>
      path.startsWith('storage/') ||
      path === 'common/app-config.ts' ||
      path.startsWith('common/secrets/') ||
      // The database's folder must be durable as the store's must, and neither knows the other.
      path === 'common/lasting-folder.ts' ||
      // The kernel reports in /proc how much of an answer it still holds.
      path === 'common/http/unread-answers.ts' ||
      path.endsWith('worker.ts') ||
      path === 'common/processes/worker-process.ts' ||
      // Everything in the renderer except its entry runs inside the drawing worker.
      (path.startsWith('pdf/renderer/') && path !== 'pdf/renderer/pdf-renderer.ts');
    expect(offenders(importsAny('node:fs', 'fs', 'node:fs/promises', 'fs/promises'), allowed)).toEqual([]);
  });

  it('makes requests through outbound-http only; models go to the address set by an admin', () => {
    const goesOut = ({ runtime, text }: Source) =>
      runtime.some((name) => ['undici', 'axios'].includes(name)) ||
      // The names of the statuses make no request.
      /^import (?!type |\{ STATUS_CODES \})[^;]*'(?:node:)?https?'|\bimport\('(?:node:)?https?'/m.test(
        text,
      ) ||
      /(?:\b(?:await|return|void)|[=>(])\s*fetch\(/.test(text);
    expect(offenders(goesOut, under('common/outbound/', 'flows/models/'))).toEqual([]);
  });

  it('speaks to Redis in redis-link only', () => {
    const speaks = ({ text }: Source) => /^import (?!type )[^;]*'@redis\/|\bimport\('@redis\//m.test(text);
    expect(sources.filter(speaks).map(({ path }) => path)).toEqual(['prediction/redis-stream/redis-link.ts']);
  });

  it('writes answers in pieces in stream-writer only', () => {
    const writes = ({ text }: Source) => /\bflushHeaders\(|\b(response|answer)\.write\(/.test(text);
    expect(offenders(writes, (path) => path === 'common/http/stream-writer.ts')).toEqual([]);
    expect(sources.filter(writes)).toHaveLength(1);
  });

  it('opens transactions in the write gate only', () => {
    const opens = (source: Source) =>
      /\.transaction\(|startTransaction\(|\bsynchronize: true/.test(source.text);
    expect(offenders(opens, under('database/'))).toEqual([]);
  });

  it('has no NOTIFY, whose commits are serialised across the whole server', () => {
    const notifies = ({ text }: Source) => /\bNOTIFY\b|\bpg_notify\b|\bLISTEN\b/.test(text);
    expect(offenders(notifies, () => false)).toEqual([]);
  });

  it('executes no text as code', () => {
    const runs = (source: Source) =>
      importsAny('vm', 'node:vm', 'vm2')(source) || /\beval\(|new Function\(/.test(source.text);
    expect(offenders(runs, () => false)).toEqual([]);
  });

  it('has no forwardRef and no multer', () => {
    expect(
      offenders(
        (source) => source.text.includes('forwardRef') || importsAny('multer')(source),
        () => false,
      ),
    ).toEqual([]);
  });
});
