/**
 * The whole suite: unit and e2e on SQLite, then e2e but for the browser on PostgreSQL when it is reachable (and always
 * under REQUIRE_SERVICES=1, where nothing may be skipped). Arguments go to jest. Ends with `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin', 'jest.js');
const required = process.env.REQUIRE_SERVICES === '1';
const extra = process.argv.slice(2);
const results = mkdtempSync(join(tmpdir(), 'test-results-'));
const totals = { passed: 0, failed: 0, skipped: 0 };
const secondTries = [];

function run(title, env, args) {
  console.log(`\n== ${title}`);
  const file = join(results, `${title.replaceAll(/\W+/g, '-')}.json`);
  const { status } = spawnSync(
    process.execPath,
    [jest, '--json', `--outputFile=${file}`, '--maxWorkers=2', ...extra, ...args],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } },
  );
  count(file, status);
}

function count(file, status) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const brokenSuites = report.testResults.filter(
      (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
    );
    totals.passed += report.numPassedTests;
    totals.failed += report.numFailedTests + brokenSuites.length;
    totals.skipped += report.numPendingTests;
    const tests = report.testResults.flatMap((suite) => suite.assertionResults);
    secondTries.push(...tests.filter(passedAtSecondTry).map(({ fullName }) => fullName));
    if (status !== 0 && report.numFailedTests + brokenSuites.length === 0) totals.failed++;
  } catch {
    totals.failed++;
  }
}

const passedAtSecondTry = ({ status, invocations = 1 }) => status === 'passed' && invocations > 1;

function reachable(port) {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port, timeout: 1000 });
    socket.once('connect', () => resolve((socket.destroy(), true)));
    socket.once('error', () => resolve(false));
    socket.once('timeout', () => resolve((socket.destroy(), false)));
  });
}

/** What pages do in a browser does not depend on the database: once is enough. */
const inBrowser = 'test/(console|chat)-(?!page)[a-z-]+\\.spec';

run('unit and e2e on SQLite', { TEST_DATABASE: 'sqlite' }, []);
if (required || (await reachable(5432))) {
  const args = ['--selectProjects=e2e', '--passWithNoTests', `--testPathIgnorePatterns=${inBrowser}`];
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
