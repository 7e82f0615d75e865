import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { citationsIn, citingTexts, faultsOfCitations, partsOf } from './support/citations.js';
import { samplesOf } from './support/documents.js';
import { filesUnder } from './support/imports.js';

const root = resolve(__dirname, '..');

/** The oldest Node version that `engines` allows. */
const [MAJOR, MINOR] = [20, 19];

/**
 * Returns true if a version range allows it. Reads the ranges of `engines`: alternatives of `>=`, `^`, `~`, `*` or a
 * version.
 */
const takes = (range: string): boolean =>
  range.split('||').some((alternative) => {
    const [, sign, major = '0', minor = '0'] = /^\s*(\D*?)\s*(\d+)(?:\.(\d+))?/.exec(alternative) ?? [];
    if (sign === undefined) return true;
    if (Number(major) === MAJOR) return Number(minor) <= MINOR;
    return sign.startsWith('>') && Number(major) < MAJOR;
  });

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['docs', 'src'].flatMap((top) => filesUnder(join(root, top))).map((file) => relative(root, file)),
].filter((path) => path.endsWith('.md'));

const tops = ['src', 'web', 'test', 'prove', 'bench', 'scripts', 'docs', 'samples', 'assets'];
const foldersIn = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const modules = foldersIn('src');

/** Returns the path from the root for a name in backticks that is one; modules are also named without `src/`. */
function placesOf(name: string): string[] {
  if (!/^[\w./<>-]+$/.test(name)) return [];
  const [top, ...below] = name.split('/');
  if (below.length === 0) return [];
  if (tops.includes(top!)) return [name];
  return modules.includes(top!) ? [`src/${name}`] : [];
}

const places = new Set(
  tops
    .flatMap((top) => filesUnder(join(root, top)))
    .flatMap((file) => {
      const path = relative(root, file);
      const folders = path.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'));
      return [path, path.replace(/\.\w+$/, ''), ...folders];
    }),
);

/** Returns true if a file or folder exists; `<name>` stands for any name, and a file needs no extension. */
function isThere(path: string): boolean {
  const plain = path.replace(/\/$/, '');
  if (!plain.includes('<')) return places.has(plain) || existsSync(join(root, plain));
  const pattern = plain.replace(/[.]/g, '\\.').replace(/<[^>]*>/g, '[^/]+');
  return [...places].some((place) => new RegExp(`^${pattern}$`).test(place));
}

/** A document without its samples. */
const proseOf = (document: string): string =>
  readFileSync(join(root, document), 'utf8').replace(/^```[^]*?^```/gm, '');

/** The anchors of a document's headings, as GitHub and other viewers derive them. */
const anchorsIn = (document: string): Set<string> =>
  new Set(
    [...proseOf(document).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  );

describe('a newcomer', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { engines?: { node?: string }; optional?: boolean; deprecated?: string }>;
  };

  it('gets no warning of a deprecated package', () => {
    const deprecated = Object.entries(packages).filter(([, each]) => each.deprecated !== undefined);
    expect(deprecated.map(([name]) => name)).toEqual([]);
  });

  it('gets no warning of a package that does not support this Node version', () => {
    expect(Object.keys(packages).length).toBeGreaterThan(500);
    const unwilling = Object.entries(packages)
      .filter(([, { engines, optional }]) => !optional && engines?.node && !takes(engines.node))
      .map(([name, { engines }]) => `${name.replace(/.*node_modules\//, '')}: ${engines!.node}`);
    expect(unwilling).toEqual([]);
  });

  it('finds every file that the documents name', () => {
    const missing = documents.flatMap((document) => {
      const text = proseOf(document);
      const named = [...text.matchAll(/`([^`\s]+)`/g)].flatMap(([, name]) => placesOf(name!));
      const linked = [...text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)].map(([, link]) =>
        join(dirname(document), link!),
      );
      return [...named, ...linked].filter((path) => !isThere(path)).map((path) => `${document}: ${path}`);
    });
    expect(missing).toEqual([]);
  });

  it('finds every decision that a document or a comment names by its number', () => {
    const numbers = new Set(readdirSync(join(root, 'docs/decisions')).map((name) => name.slice(0, 4)));
    const sources = ['src', 'web', 'test', 'prove', 'bench', 'scripts'].flatMap((top) =>
      filesUnder(join(root, top)).map((file) => relative(root, file)),
    );
    const named = [...documents, ...sources].flatMap((path) =>
      [
        ...readFileSync(join(root, path), 'utf8').matchAll(
          /\b(?:decision|record)s? (\d{4}(?:(?:, | and )\d{4})*)\b/g,
        ),
      ]
        .flatMap(([, list]) => list!.match(/\d{4}/g)!)
        .map((number) => ({ path, number })),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ number }) => !numbers.has(number))).toEqual([]);
  });

  it('finds the heading that each link names', () => {
    const links = documents.flatMap((document) =>
      [...proseOf(document).matchAll(/\]\((?!\w+:)([^)#\s]*)#([^)\s]+)\)/g)].map(([, path, anchor]) => ({
        document,
        target: path === '' ? document : join(dirname(document), path!),
        anchor: anchor!,
      })),
    );
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter(({ target, anchor }) => !anchorsIn(target).has(anchor))).toEqual([]);
  });

  it('finds every folder of a module in docs/architecture.md', () => {
    const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const folders = modules.flatMap((module) =>
      foldersIn(join('src', module)).map((folder) => `${module}/${folder}`),
    );
    expect(folders.length).toBeGreaterThan(30);
    expect(folders.filter((folder) => !architecture.includes(`\`${folder}\``))).toEqual([]);
  });

  it('detects a missing file, with and without its extension', () => {
    const path = 'src/flows/engine/flow-runner';
    expect([path, `${path}.ts`, 'src/flows/nodes/<kind>.node.ts', 'src/flows'].filter(isThere)).toHaveLength(
      4,
    );
    expect([`${path}s`, `${path}.js`, 'src/flows/nodes/<kind>.nodes.ts', 'src/flow'].filter(isThere)).toEqual(
      [],
    );
    expect(placesOf('flows/engine')).toEqual(['src/flows/engine']);
    expect(placesOf('application/json')).toEqual([]);
  });

  it('has a clean working copy after the commands in the documents', () => {
    const commands = documents.flatMap((path) => samplesOf(path).filter(({ kind }) => kind === 'sh'));
    const left = commands.flatMap(({ text }) =>
      [...text.matchAll(/(?:\btee|-o|[^0-9]>) ([\w./-]+\.\w+)/g)].map(([, name]) => name!),
    );
    const made = [...left, '20261122 14 LS1 4AP.pdf', 'data/admin-key', 'demo-output/x.pdf', 'dist/main.js'];
    expect(left.length).toBeGreaterThan(0);
    for (const name of made) {
      const { status } = spawnSync('git', ['check-ignore', '-q', '--no-index', name], { cwd: root });
      // An export without a repository has nothing to check.
      if (status !== 128) expect([name, status]).toEqual([name, 0]);
    }
  });

  it('finds each decision record by its own number, which its heading repeats', () => {
    const records = readdirSync(join(root, 'docs/decisions')).sort();
    expect(records.length).toBeGreaterThan(50);
    const numbers = records.map((name) => name.slice(0, 4));
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
    const heads = records.map((name) => readFileSync(join(root, 'docs/decisions', name), 'utf8').slice(0, 7));
    expect(heads).toEqual(numbers.map((number) => `# ${number} `));
  });

  it('finds in docs/contract.md each section that a comment or a text cites', () => {
    const texts = citingTexts(root);
    const cited = texts.flatMap(([, text]) => citationsIn(text).citations);
    expect(cited.length).toBeGreaterThan(150);
    const parts = partsOf(readFileSync(join(root, 'docs/contract.md'), 'utf8'));
    const faults = texts.flatMap(([path, text]) =>
      faultsOfCitations(text, parts).map((fault) => `${path}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('is stopped by lint at a comment in other words than those of the field', () => {
    const folder = mkdtempSync(join(tmpdir(), 'comments-'));
    const lint = (...comments: string[]): number => {
      writeFileSync(join(folder, 'a.ts'), comments.map((comment) => `${comment}\nexport {};\n`).join(''));
      const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'unix', folder], {
        cwd: folder,
        encoding: 'utf8',
      });
      return stdout.match(/comments\(plain-words\)/g)?.length ?? 0;
    };
    writeFileSync(
      join(folder, '.oxlintrc.json'),
      JSON.stringify({
        jsPlugins: [join(root, 'scripts/lint/comments.mjs')],
        rules: { 'comments/plain-words': 'error' },
      }),
    );
    expect(
      lint('/** What it takes. */', '/**\n * Of the call. */', '/* How */', '// It is\n// kept anew.'),
    ).toBe(5);
    expect(lint('/** Whatever it takes. */', "// A person\n// What 'a' says.", '// It answers "told".')).toBe(
      0,
    );
    rmSync(folder, { recursive: true });
  });

  it('reads pages in the words that comments may use', () => {
    const rule = readFileSync(join(root, 'scripts/lint/comments.mjs'), 'utf8');
    const [, words] = /^const WORDS = \/(.*)\/gi;$/m.exec(rule)!;
    const wrong = documents
      .filter((document) => !/^(?:src|docs\/decisions)\//.test(document))
      .flatMap((document) =>
        [
          ...proseOf(document)
            .replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, '')
            .matchAll(new RegExp(words!, 'gi')),
        ].map(([word]) => `${document}: ${word}`),
      );
    expect(wrong).toEqual([]);
  });
});
