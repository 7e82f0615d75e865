/** The suites of `test/`, sorted by their needs, and the lanes in which they run. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lanesFolder = join(root, '.cache', 'lanes');

/** Returns the texts of a suite and all its imports from test/, by path. */
function textsOf(path, texts = new Map()) {
  const text = readFileSync(path, 'utf8');
  texts.set(path, text);
  for (const [, to] of text.matchAll(/^(?:import|export|\}).* from '(\.[^']+)';$/gm)) {
    const imported = join(dirname(path), to).replace(/\.js$/, '.ts');
    if (imported.startsWith(join(root, 'test')) && !texts.has(imported)) textsOf(imported, texts);
  }
  return texts;
}

const texts = new Map(
  readdirSync(join(root, 'test'))
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => [`test/${name}`, textsOf(join(root, 'test', name))]),
);
const ownText = (path) => texts.get(path).get(join(root, path));
const anyText = (path, pattern) => [...texts.get(path).values()].some((text) => pattern.test(text));

/** Returns true if the text of a suite, without its imports, has a match. */
export const mentions = (path, pattern) => pattern.test(ownText(path));

export const e2eSuites = [...texts.keys()];
export const pageSuites = e2eSuites.filter((path) => ownText(path).includes('describeInBrowser('));

/** Returns true if a suite tests PostgreSQL alone, and nothing on SQLite. */
const isAboutPostgresAlone = (text) => /^describeOnPostgres\b/m.test(text) && !/^describe\b/m.test(text);

/** Returns true if a suite has tests that need PostgreSQL. */
const isAboutPostgres = (text) => /describe\.each\(databases\)|\b(describe|it)OnPostgres\b/.test(text);

export const postgresSuites = e2eSuites.filter((path) => isAboutPostgresAlone(ownText(path)));

/** Suites that start a service on a database, so that another database may change their result. */
export const databaseSuites = e2eSuites.filter(
  (path) =>
    !pageSuites.includes(path) &&
    (isAboutPostgres(ownText(path)) ||
      (anyText(path, /TEST_DATABASE\b/) && !/startTestApp\(\{ database: 'sqlite'/.test(ownText(path)))),
);

/**
 * Suites about protocols, bodies, pages and print, which do the same on every database: `.ci/run` runs them on SQLite
 * only.
 */
const SAME_ON_EVERY_DATABASE = [
  /(answers-described|body-budget|budgets|camera|chat-(app|page)|declared-routes)\.spec/,
  /(event-streams|expect-continue|figures|foreign-pages|hang-up|heavy-bodies|import-shapes|pipelined)\.spec/,
  /(flow-(exports|import)|letters-of-addresses|mcp-tools|node-pages|openai-\w+|openapi|sdk-client)\.spec/,
  /(report-(brand|logo|progress|revisions)|render-failures|comparison-pairs|details-report|observations)\.spec/,
  /(document-(files|models)|prediction-(models|uploads)|capture-coach)\.spec/,
  /(inspection-tools|spellings|stream-ends|widget-moved)\.spec/,
];

export const isSameOnEveryDatabase = (path) => SAME_ON_EVERY_DATABASE.some((names) => names.test(path));

/**
 * Suites that kill, halt or restart processes and wait for the outcome, and those that draw, read or converse for twenty
 * seconds or more.
 */
const SLOW = [
  /(crashes|documented-commands|faults|forgotten-runs|kill(s|ed)|lost-commits|outlive|replica-secrets)\.spec/,
  /(signals|standstill|starting|stopping)\.spec/,
  /(assistant-corrections|capture-coach|damaged-files|document-(files|models)|inspection-assistant)\.spec/,
  /(async-runs|streams-anywhere|document-(ingestion|scale|turns)|s3-storage|correction-limits)\.spec/,
  /(comparison(-changed)?|render-max-bytes|report-(areas|hostile|mail|many-facts|pdf|seal|signature|stamps)|editions|edition-additions)\.spec/,
];

/** Suites that `.ci/run` runs and `npm test` does not. */
export const slowSuites = e2eSuites.filter(
  (path) => !pageSuites.includes(path) && SLOW.some((names) => names.test(path)),
);

/** Unit suites that take a quarter of a minute of CPU time or more: `.ci/run` runs them, `npm test` does not. */
export const heavyUnitSuites = [
  'src/database/many-processes.spec.ts',
  'src/documents/extract/hostile-text.spec.ts',
  'src/documents/extract/text-extraction.spec.ts',
  'src/flows/nodes/function/function-sandbox.spec.ts',
  'src/inspection/pictures/heavy-pictures.spec.ts',
  'src/inspection/pictures/heic-corpus.spec.ts',
  'src/inspection/pictures/damaged-pictures.spec.ts',
  'src/storage/s3-store.spec.ts',
];

const unitTexts = new Map(
  spawnSync('git', ['ls-files', 'src/*.spec.ts', 'web/*.spec.ts'], { cwd: root, encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);
export const unitSuites = [...unitTexts.keys()];
export const postgresUnitSuites = unitSuites.filter((path) => isAboutPostgresAlone(unitTexts.get(path)));
export const databaseUnitSuites = unitSuites.filter((path) => isAboutPostgres(unitTexts.get(path)));

/**
 * Suites that send thousands of wrong bodies, or as many photographs as the busiest day: only `npm run test:full` runs
 * them.
 */
export const exhaustiveSuites = ['test/fault-words.spec.ts', 'test/honest-loads.spec.ts'];

/**
 * Writes files that each run several suites in one module registry, and returns their paths. The suites given first run
 * first: pass long ones first, so that none is left alone at the end.
 */
export function writeLanes(suites, count) {
  rmSync(lanesFolder, { recursive: true, force: true });
  mkdirSync(lanesFolder, { recursive: true });
  const lanes = Array.from({ length: Math.min(count, suites.length) }, () => []);
  suites.forEach((path, index) => lanes[index % lanes.length].push(path));
  return lanes.map((paths, index) => {
    const file = join(lanesFolder, `${String(index + 1).padStart(3, '0')}.spec.cjs`);
    const text = paths
      .map(
        (path) =>
          `describe(${JSON.stringify(path)}, () => void require(${JSON.stringify(join(root, path))}));\n`,
      )
      .join('');
    writeFileSync(file, text);
    return file;
  });
}

export const removeLanes = () => rmSync(lanesFolder, { recursive: true, force: true });
