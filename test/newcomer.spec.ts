import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { citationsIn, citingTexts, faultsOfCitations, partsOf } from './support/citations.js';
import { samplesOf } from './support/documents.js';
import { filesUnder } from './support/imports.js';

const root = resolve(__dirname, '..');

/** The oldest Node that `engines` promises. */
const [MAJOR, MINOR] = [20, 19];

/** Whether a range of versions takes it, as far as ranges of `engines` go: alternatives of `>=`, `^`, `~`, `*` or a version. */
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

/** The path from the root that a name in backticks is, where it is one: modules are also named without `src/`. */
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

/** Whether a file or folder stands there; `<name>` stands for any name, and a file needs no ending. */
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

/** A comment whose first word is "What" describes a thing without naming it. */
const NAMELESS = /^[^\S\n]*(?:\/\/|\/?\*+) What\b.*$/gm;
const namelessIn = (text: string): string[] => text.match(NAMELESS)?.map((line) => line.trim()) ?? [];

describe('who is new here', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { engines?: { node?: string }; optional?: boolean; deprecated?: string }>;
  };

  it('is not warned of a package that is deprecated', () => {
    const deprecated = Object.entries(packages).filter(([, each]) => each.deprecated !== undefined);
    expect(deprecated.map(([name]) => name)).toEqual([]);
  });

  it('is not warned of a package that does not want the Node that this one takes', () => {
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

  it('is told of every folder of a module', () => {
    const told = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const folders = modules.flatMap((module) =>
      foldersIn(join('src', module)).map((folder) => `${module}/${folder}`),
    );
    expect(folders.length).toBeGreaterThan(30);
    expect(folders.filter((folder) => !told.includes(`\`${folder}\``))).toEqual([]);
  });

  it('knows a file that is not there, with and without its ending', () => {
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

  it('has a clean copy after the commands in the documents', () => {
    const commands = documents.flatMap((path) => samplesOf(path).filter(({ kind }) => kind === 'sh'));
    const left = commands.flatMap(({ text }) =>
      [...text.matchAll(/(?:\btee|-o|[^0-9]>) ([\w./-]+\.\w+)/g)].map(([, name]) => name!),
    );
    const made = [...left, '20261122 14 LS1 4AP.pdf', 'data/admin-key', 'demo-output/x.pdf', 'dist/main.js'];
    expect(left.length).toBeGreaterThan(0);
    for (const name of made) {
      const { status } = spawnSync('git', ['check-ignore', '-q', '--no-index', name], { cwd: root });
      // Where this is no clone there is nothing to keep clean.
      if (status !== 128) expect([name, status]).toEqual([name, 0]);
    }
  });

  it('finds each record of a decision by a number of its own, said at its head', () => {
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

  it('reads comments that name the thing or the mechanism: none begins with "What"', () => {
    const files = ['src', 'web', 'test', 'prove', 'bench', 'scripts']
      .flatMap((top) => filesUnder(join(root, top)))
      .filter((file) => /\.(?:[cm]?[jt]sx?|css|c)$/.test(file));
    expect(files.length).toBeGreaterThan(1000);
    const wrong = files.flatMap((file) =>
      namelessIn(readFileSync(file, 'utf8')).map((line) => `${relative(root, file)}: ${line}`),
    );
    expect(wrong).toEqual([]);
  });

  it('would find a comment that begins with "What", however it is written', () => {
    const comments = [
      '/** What it takes. */',
      '   * What it takes',
      '  // What it takes.',
      '/* What it takes */',
    ];
    expect(comments.map((comment) => namelessIn(`a();\n${comment}\nb();`).length)).toEqual([1, 1, 1, 1]);
    const others = [
      "say('What is it?');",
      '/** Says what it takes. */',
      '// Whatever it takes.',
      'a * What;',
    ];
    expect(others.flatMap(namelessIn)).toEqual([]);
  });
});
