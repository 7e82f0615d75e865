/**
 * The whole suite: unit and e2e on SQLite, then the e2e that depends on the database on PostgreSQL when it is reachable
 * (and always under REQUIRE_SERVICES=1, where nothing may be skipped). Arguments go to jest. Ends with `N passed, N failed`.
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

/**
 * E2e suites that are the same under any `TEST_DATABASE`, by path, for which once is enough: those that ask nothing of it,
 * those of pages in a browser, and those that run each case on the database that it is about.
 */
const ofAnyDatabase = readdirSync(join(root, 'test'))
  .filter((name) => name.endsWith('.spec.ts'))
  .map((name) => `test/${name}`)
  .filter((path) => {
    const texts = textsOf(join(root, path));
    const asks = [...texts.values()].some((text) => text.includes('TEST_DATABASE'));
    const names =
      /describeInBrowser\(|startBehindProxy\(|describe\.each<DatabaseKind>\(|startTestApp\(\{ database: 'sqlite'/;
    return !asks || names.test(texts.get(join(root, path)));
  });

/** Runs jest; answers its report, `undefined` where it left none. */
function jestReport(name, env, args) {
  const file = join(results, `${name.replaceAll(/\W+/g, '-')}.json`);
  spawnSync(process.execPath, [jest, '--json', `--outputFile=${file}`, '--maxWorkers=2', ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function run(title, env, args) {
  console.log(`\n== ${title}`);
  const report = jestReport(title, env, [...extra, ...args]);
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
  const args = ['--runTestsByPath', path, '--maxWorkers=1', '--forceExit'];
  const second = jestReport(path, env, args)?.testResults[0];
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

run('unit and e2e on SQLite', { TEST_DATABASE: 'sqlite' }, []);
if (required || (await reachable(5432))) {
  const ignored = ofAnyDatabase.map((path) => `--testPathIgnorePatterns=${path}$`);
  const args = ['--selectProjects=e2e', '--passWithNoTests', ...ignored];
  run('e2e on PostgreSQL', { TEST_DATABASE: 'postgres' }, args);
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
