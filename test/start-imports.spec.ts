import { join, resolve } from 'node:path';
import { filesUnder } from './support/imports.js';
import { loadedWith, readSource } from './support/sources.js';

const src = join(resolve(__dirname, '..'), 'src');
const sources = new Map(
  filesUnder(src)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readSource(src, file))
    .map((source) => [source.path, source]),
);

/** Packages needed before the service is ready. All others are loaded by `import()`, or in a worker. */
const AT_START = [
  '@fastify/busboy',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/throttler',
  '@nestjs/typeorm',
  'dotenv',
  'eventsource-parser',
  'helmet',
  'ipaddr.js',
  'lru-cache',
  'luxon',
  'pino',
  'piscina',
  'prom-client',
  'reflect-metadata',
  'rxjs',
  'sqlite-vec',
  'sqlite3',
  'typeorm',
  'uuid',
  'zod',
];

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Returns the files of ours that a file loads, transitively, and the packages that they load. */
function loadedBy(start: string): { files: Set<string>; packages: Set<string> } {
  const files = new Set([start]);
  const packages = new Set<string>();
  for (const path of files) {
    for (const name of loadedWith(src, sources.get(path)!)) {
      if (name.endsWith('.ts')) files.add(name);
      else if (!name.startsWith('node:')) packages.add(packageOf(name));
    }
  }
  return { files, packages };
}

describe('the start', () => {
  const { files, packages } = loadedBy('main.ts');

  it('loads no package that is needed only later: SDKs of models, pdfmake, sharp, QuickJS, MCP, mail', () => {
    expect([...packages].sort().filter((name) => !AT_START.includes(name))).toEqual([]);
  });

  it('lists no package here that it does not load', () => {
    expect(AT_START.filter((name) => !packages.has(name))).toEqual([]);
  });

  it('loads neither the renderer, nor picture decoders, nor document readers', () => {
    expect(files).toContain('pdf/drawing/report-drawing.ts');
    const workers = ['pdf/renderer/draw-worker.ts', 'inspection/pictures/picture-worker.ts'];
    const later = [...workers, 'documents/extract/read-document.ts', 'console/api-docs/api-description.ts'];
    for (const path of later) {
      expect(sources.has(path)).toBe(true);
      expect(files).not.toContain(path);
    }
  });

  /** Node 20 aborts the process when a thread is ended while it loads an ES module with `require`. */
  it('loads no Nest in workers, which then start sooner and can be ended while they load', () => {
    const workers = [...sources.keys()].filter((path) => path.endsWith('-worker.ts'));
    expect(workers).toContain('pdf/renderer/draw-worker.ts');
    const withNest = workers.filter((path) =>
      [...loadedBy(path).packages].some((name) => name.startsWith('@nestjs/')),
    );
    expect(withNest).toEqual([]);
  });

  it('detects a loaded package, but not one that is imported as a type or later', () => {
    const text = [
      "import type { Pool } from 'pg';",
      "import { createTransport } from 'nodemailer';",
      "import 'reflect-metadata';",
      "export * from './rules.js';",
      "const late = () => import('sharp');",
    ].join('\n');
    const source = { path: 'pdf/mail.ts', module: 'pdf', text, imports: [], runtime: [] };
    expect(loadedWith(src, source)).toEqual(['nodemailer', 'pdf/rules.ts', 'reflect-metadata']);
  });
});
