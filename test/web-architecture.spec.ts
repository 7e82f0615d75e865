import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { circlesIn, filesUnder } from './support/imports.js';

const web = resolve(__dirname, '..', 'web');

/** Areas of the console, whose pages do not import each other. */
const areas = ['home', 'executions', 'flows', 'inspections', 'documents', 'access'];

interface Page {
  path: string;
  text: string;
  /** Files of ours, as paths from web/ without extension; packages and styles are left out. */
  imports: string[];
}

const stemOf = (path: string): string => path.replace(/\.(tsx?|js)$/, '');

const pages: Page[] = filesUnder(web)
  .filter((file) => /\.tsx?$/.test(file) && !/\.spec\.tsx?$/.test(file))
  .map((file) => {
    const text = readFileSync(file, 'utf8');
    const written = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*\.js)'/g)].map((match) => match[1]!);
    return {
      path: relative(web, file),
      text,
      imports: written.map((specifier) => stemOf(relative(web, resolve(dirname(file), specifier)))),
    };
  });

const wrong = (isWrong: (from: string, to: string) => boolean): string[] =>
  pages.flatMap(({ path, imports }) =>
    imports.filter((to) => isWrong(path, to)).map((to) => `${path} → ${to}`),
  );

const areaOf = (path: string): string | undefined =>
  areas.find((area) => path.startsWith(`console/${area}/`));

describe('the pages', () => {
  it('cover every import, in any syntax', () => {
    const importsOf = (path: string) => pages.find((page) => page.path === path)?.imports;
    expect(importsOf('chat/chat.tsx')).toContain('chat/composer');
    expect(importsOf('console/routes.ts')).toEqual(
      expect.arrayContaining(areas.map((area) => `console/${area}/routes`)),
    );
  });

  it('import nothing of the service but the shapes of its API, its rules on area names and its table of details', () => {
    const ours = /^\.\.\/src\/(api\/|inspection\/(areas\/|report\/meta-members$))/;
    expect(wrong((_from, to) => to.startsWith('..') && !ours.test(to))).toEqual([]);
  });

  it('load no schema of the API: of files other than its terms they import types', () => {
    const loaded = /^import (?!type )[^;]*?'(?:\.\.\/)+src\/api\/(?![\w-]+-terms\.js)[^']*'/m;
    expect(pages.filter(({ text }) => loaded.test(text)).map(({ path }) => path)).toEqual([]);
    expect(loaded.test("import { execution } from '../../src/api/executions.js';")).toBe(true);
  });

  it('share code through common: chat and console do not import each other', () => {
    expect(wrong((from, to) => from.startsWith('chat/') && to.startsWith('console/'))).toEqual([]);
    expect(wrong((from, to) => from.startsWith('console/') && to.startsWith('chat/'))).toEqual([]);
    const shared = /^(common\/|\.\.\/src\/(api\/|inspection\/report\/meta-members$))/;
    expect(wrong((from, to) => from.startsWith('common/') && !shared.test(to))).toEqual([]);
  });

  it('separate the areas of the console', () => {
    const isOther = (from: string, to: string) => {
      const [here, there] = [areaOf(from), areaOf(to)];
      return there !== undefined && here !== there && from !== 'console/routes.ts';
    };
    expect(wrong(isOther)).toEqual([]);
  });

  it('build parts, api and graph without any area', () => {
    const isGround = (path: string) => /^console\/(parts|api|graph)\//.test(path);
    expect(wrong((from, to) => isGround(from) && areaOf(to) !== undefined)).toEqual([]);
  });

  it('have no import circle', () => {
    expect(circlesIn(new Map(pages.map(({ path, imports }) => [stemOf(path), imports])))).toEqual([]);
  });

  it('style no class in two places, since stylesheets of areas load one after the other', () => {
    const looks = new Map<string, string[]>();
    for (const file of filesUnder(join(web, 'console')).filter((path) => path.endsWith('.css')))
      for (const name of new Set(readFileSync(file, 'utf8').match(/^\.[\w-]+(?=,$| \{$)/gm)))
        looks.set(name, [...(looks.get(name) ?? []), relative(web, file)]);
    expect(looks.size).toBeGreaterThan(100);
    expect([...looks].filter(([, places]) => places.length > 1)).toEqual([]);
  });

  it('have the texts of the chat page in one file', () => {
    const says = /(aria-label|title|placeholder|alt|label)="[A-Z]|>[\n ]*[A-Z][a-z]+[^<>{}=;()]*[\n ]*<\//;
    const chat = pages.filter(({ path }) => path.startsWith('chat/') && path.endsWith('.tsx'));
    expect(chat.length).toBeGreaterThan(10);
    expect(chat.filter(({ text }) => says.test(text)).map(({ path }) => path)).toEqual([]);
    expect(says.test('<p>Write a message</p>') && says.test('<b aria-label="Send" />')).toBe(true);
  });

  it('write no HTML and execute no text', () => {
    const isUnsafe = /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|\beval\(|new Function\(/;
    expect(pages.filter(({ text }) => isUnsafe.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
