/**
 * The whole suite: unit and e2e on SQLite, the pages in a browser, then the e2e that depends on the database on PostgreSQL
 * when it is reachable (and always under REQUIRE_SERVICES=1, where nothing may be skipped). Arguments go to jest. Ends
 * with `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin', 'jest.js');
const required = process.env.REQUIRE_SERVICES === '1';
const extra = process.argv.slice(2);
const results = mkdtempSync(join(tmpdir(), 'test-results-'));
const totals = { passed: 0, failed: 0, skipped: 0 };
const secondTries = [];
const MOST_TRIED_AGAIN = 5;

/** A suite and all that it imports of test/: texts by path. */
function textsOf(path, texts = new Map()) {
  const text = readFileSync(path, 'utf8');
  texts.set(path, text);
  for (const [, to] of text.matchAll(/^(?:import|export|\}).* from '(\.[^']+)';$/gm)) {
    const imported = join(dirname(path), to).replace(/\.js$/, '.ts');
    if (imported.startsWith(join(root, 'test')) && !texts.has(imported)) textsOf(imported, texts);
  }
  return texts;
}

/** The e2e suites, by path, with all their texts. */
const suites = new Map(
  readdirSync(join(root, 'test'))
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => `test/${name}`)
    .map((path) => [path, textsOf(join(root, path))]),
);
const ownText = (path) => suites.get(path).get(join(root, path));
const paths = [...suites.keys()];

const ofPages = paths.filter((path) => ownText(path).includes('describeInBrowser('));
const notOfPages = paths.filter((path) => !ofPages.includes(path));

/**
 * Suites that are the same under any `TEST_DATABASE`, for which once is enough: those that ask nothing of it, those of
 * pages, and those that run each case on the database that it is about.
 */
const ofAnyDatabase = paths.filter((path) => {
  const asks = [...suites.get(path).values()].some((text) => text.includes('TEST_DATABASE'));
  const names = /startBehindProxy\(|describe\.each<DatabaseKind>\(|startTestApp\(\{ database: 'sqlite'/;
  return !asks || ofPages.includes(path) || names.test(ownText(path));
});

/** More than the two cores that the tests are made for: many suites wait for a time-out or a process. */
const WORKERS = 3;
/** A browser waits for nothing but its processor. */
const WORKERS_OF_PAGES = 2;

const without = (ignored) => ignored.map((path) => `--testPathIgnorePatterns=${path}$`);

/** Runs jest; answers its report, `undefined` where it left none. */
function jestReport(name, env, args, workers) {
  const file = join(results, `${name.replaceAll(/\W+/g, '-')}.json`);
  spawnSync(process.execPath, [jest, '--json', `--outputFile=${file}`, `--maxWorkers=${workers}`, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function run(title, env, args, workers = WORKERS) {
  console.log(`\n== ${title}`);
  const report = jestReport(title, env, [...extra, ...args], workers);
  if (!report) {
    totals.failed++;
    return;
  }
  const failing = report.testResults.filter(({ status }) => status === 'failed');
  const again = process.env.CI === 'true' && failing.length <= MOST_TRIED_AGAIN;
  const suites = report.testResults.map((suite) =>
    again && suite.status === 'failed' ? secondTry(suite, env) : suite,
  );
  for (const suite of suites) count(suite);
  const failedOfItself = !report.success && report.testResults.every(({ status }) => status !== 'failed');
  if (failedOfItself) totals.failed++;
}

function count({ status, assertionResults }) {
  const having = (...wanted) => assertionResults.filter((test) => wanted.includes(test.status)).length;
  totals.passed += having('passed');
  totals.failed += having('failed') + (status === 'failed' && assertionResults.length === 0 ? 1 : 0);
  totals.skipped += having('pending', 'todo', 'disabled');
}

/**
 * Under CI a suite that failed is run once more, by itself, with a service and a database of its own: beside another
 * suite, a browser and a starting service on the same cores, a wait may end late without anything being wrong. It is
 * named at the end, and where more suites than these fail, the cause is no lateness: nothing is tried again.
 */
function secondTry(first, env) {
  const path = relative(root, first.name);
  console.log(`\n== ${path} once more`);
  // A test that fails may leave a server open, which would keep a jest without workers for ever.
  const args = ['--runTestsByPath', path, '--forceExit'];
  const second = jestReport(path, env, args, 1)?.testResults[0];
  if (second?.status !== 'passed') return second ?? first;
  const failed = first.assertionResults.filter(({ status }) => status === 'failed');
  secondTries.push(...(failed.length > 0 ? failed.map(({ fullName }) => fullName) : [path]));
  return second;
}

function reachable(port) {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port, timeout: 1000 });
    socket.once('connect', () => resolve((socket.destroy(), true)));
    socket.once('error', () => resolve(false));
    socket.once('timeout', () => resolve((socket.destroy(), false)));
  });
}

const onSqlite = { TEST_DATABASE: 'sqlite' };
const some = ['--selectProjects=e2e', '--passWithNoTests'];
run('unit and e2e on SQLite', onSqlite, ['--passWithNoTests', ...without(ofPages)]);
run('pages in a browser', onSqlite, [...some, ...without(notOfPages)], WORKERS_OF_PAGES);
if (required || (await reachable(5432))) {
  run('e2e on PostgreSQL', { TEST_DATABASE: 'postgres' }, [...some, ...without(ofAnyDatabase)]);
} else {
  console.log('\nSKIPPED: e2e on PostgreSQL (nothing listens on 127.0.0.1:5432)');
}

rmSync(results, { recursive: true, force: true });
if (required && totals.skipped > 0) {
  console.log(`\nREQUIRE_SERVICES=1, but ${totals.skipped} tests were skipped`);
  totals.failed += totals.skipped;
} else if (totals.skipped > 0) {
  console.log(`\n${totals.skipped} tests were skipped: see the lines SKIPPED above for what they need`);
}
for (const name of secondTries) console.log(`\nPASSED ONLY AT THE SECOND TRY: ${name}`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);
