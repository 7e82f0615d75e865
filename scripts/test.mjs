/**
 * The tests, in tiers (docs/testing.md):
 *   npm test [part of a suite's name …]    types, lint, format, unit, e2e on SQLite: needs Node alone
 *   node scripts/test.mjs change           also PostgreSQL, pages of the main journeys and of the change, some proofs
 *   npm run test:full                      everything, on both databases, with all pages, short proofs, mutants, Node 24
 * A failed step ends the run, except of the full tier, which takes hours and continues. The last line is `N passed,
 * N failed`, over all tiers so far if `TEST_TALLY` names a file.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { changedFiles, pagesFor, proofsFor, touchedSuites } from './change.mjs';
import {
  databaseSuites,
  databaseUnitSuites,
  e2eSuites,
  exhaustiveSuites,
  heavyUnitSuites,
  isSameOnEveryDatabase,
  pageSuites,
  postgresSuites,
  postgresUnitSuites,
  removeLanes,
  root,
  slowSuites,
  unitSuites,
  writeLanes,
} from './test-suites.mjs';

const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin', 'jest.js');
const tiers = { change, full };
const [first, ...others] = process.argv.slice(2);
const tier = first in tiers ? first : undefined;
const filters = first in tiers ? others : process.argv.slice(2);
const chosen = (path) => filters.length === 0 || filters.some((filter) => path.includes(filter));

const scratch = mkdtempSync(join(tmpdir(), 'test-run-'));
const startedAt = performance.now();
const totals = { passed: 0, failed: 0, skipped: 0 };

/** More than the two cores of the test machine: many suites wait for a timeout or a process. */
const WORKERS = 4;
/** A browser waits only for CPU time. */
const WORKERS_OF_PAGES = 2;
/** Each lane loads the application again; with several for a worker, all workers end together. */
const LANES_OF_A_WORKER = 3;

/** Runs one step and prints its duration; a failure ends the run of every tier but the full one. */
function step(title, run) {
  console.log(`\n=== ${title}`);
  const before = performance.now();
  const holds = run();
  console.log(
    `--- ${title}: ${holds ? 'ok' : 'FAILED'}, ${((performance.now() - before) / 1000).toFixed(0)} s`,
  );
  if (!holds && tier !== 'full') end();
}

function command(title, program, args, env = {}) {
  step(title, () => {
    const { status } = spawnSync(program, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    if (status !== 0) totals.failed++;
    return status === 0;
  });
}

const npmRun = (script) => command(script, 'npm', ['run', '--silent', script]);

/** Runs jest over some files, one line per suite, and counts their tests. */
function suites(
  title,
  { database, databases, project, files, workers = WORKERS, node = [process.execPath], env = {} },
) {
  if (files?.length === 0) return;
  step(title, () => {
    const report = join(scratch, 'suites.json');
    rmSync(report, { force: true });
    const args = [jest, '--selectProjects', project, `--maxWorkers=${workers}`, '--passWithNoTests'];
    args.push(`--reporters=${join(root, 'scripts', 'test-reporter.cjs')}`);
    if (process.env.TEST_COVERAGE)
      args.push(
        '--coverage',
        '--coverageReporters=json',
        `--coverageDirectory=${join(process.env.TEST_COVERAGE, title.replaceAll(/\W+/g, '-'))}`,
      );
    if (files) args.push('--runTestsByPath', ...files);
    const { status } = spawnSync(node[0], [...node.slice(1), ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        ...env,
        TEST_DATABASE: database,
        TEST_DATABASES: databases ?? database,
        TEST_SUITES_FILE: report,
      },
    });
    const results = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : [];
    for (const result of results) for (const key of Object.keys(totals)) totals[key] += result[key];
    const failed = results.reduce((sum, result) => sum + result.failed, 0);
    // A suite that could not be loaded, or left something behind, fails without a failed test.
    if (status !== 0 && failed === 0) totals.failed++;
    return status === 0;
  });
}

/** Runs suites in lanes, in each of which they share their modules. */
function inLanes(title, paths, options) {
  const lanes = writeLanes(paths.filter(chosen), LANES_OF_A_WORKER * (options.workers ?? WORKERS));
  suites(title, { ...options, project: 'lanes', files: lanes });
  removeLanes();
}

const later = (what) => console.log(`NOT RUN here: ${what}`);

const unitOnSqlite = unitSuites.filter((path) => !postgresUnitSuites.includes(path));
const isPage = (path) => pageSuites.includes(path);
const onSqlite = e2eSuites.filter((path) => !isPage(path) && !postgresSuites.includes(path));
const isQuick = (path) => !slowSuites.includes(path) && !exhaustiveSuites.includes(path);
const onPostgres = databaseSuites.filter((path) => !exhaustiveSuites.includes(path));

function checks() {
  if (filters.length > 0) return;
  npmRun('types');
  npmRun('lint');
  npmRun('format:check');
}

function newcomer() {
  checks();
  const light = (path) => filters.length > 0 || !heavyUnitSuites.includes(path);
  inLanes('unit, on SQLite', unitOnSqlite.filter(light), { database: 'sqlite' });
  inLanes('e2e, on SQLite', onSqlite.filter(isQuick), { database: 'sqlite' });
  later(`${pageSuites.length} suites of pages (.ci/run; they need Chromium)`);
  later(`${onPostgres.length + databaseUnitSuites.length} suites on PostgreSQL (.ci/run)`);
  later(`${slowSuites.length} slow suites (.ci/run)`);
  later(`${heavyUnitSuites.length} unit suites of heavy pictures and files (.ci/run)`);
  later(`${exhaustiveSuites.length} exhaustive suites (npm run test:full)`);
  later('the proofs (.ci/run, npm run prove)');
}

function change() {
  const changed = changedFiles();
  suites('heavy unit suites', { project: 'unit', database: 'sqlite', files: heavyUnitSuites });
  inLanes('unit, on PostgreSQL', databaseUnitSuites, { database: 'postgres' });
  const dependent = onPostgres.filter((path) => !isSameOnEveryDatabase(path));
  const slow = [...new Set([...slowSuites, ...dependent])];
  const touched = touchedSuites(changed, slow);
  inLanes('e2e, on PostgreSQL, and the slow ones', touched, { database: 'postgres' });
  later(`${onPostgres.length - dependent.length} suites that do the same on PostgreSQL (npm run test:full)`);
  later(`${slow.length - touched.length} slow suites of parts that did not change (npm run test:full)`);
  const pages = pagesFor(changed, pageSuites);
  inLanes('pages', pages, { database: 'sqlite', workers: WORKERS_OF_PAGES });
  later(
    `${pageSuites.length - pages.length} suites of pages that the change does not touch (npm run test:full)`,
  );
  command('proofs', process.execPath, ['prove/all.mjs', ...proofsFor(changed)], { PROVE_SHORT: '1' });
}

function full() {
  checks();
  inLanes('unit, on both databases', unitSuites, { database: 'sqlite', databases: 'sqlite,postgres' });
  inLanes('e2e, on SQLite', onSqlite, { database: 'sqlite' });
  inLanes('e2e, on PostgreSQL', onPostgres, { database: 'postgres' });
  const killed = { CHAT_KILLS: '20' };
  inLanes('pages', pageSuites, { database: 'sqlite', workers: WORKERS_OF_PAGES, env: killed });
  npmRun('build');
  command('short proofs', process.execPath, ['prove/all.mjs'], { PROVE_SHORT: '1' });
  command('mutants', process.execPath, ['prove/mutants.mjs']);
  const node = ['npx', '-y', 'node@24'];
  inLanes('unit, on Node 24', unitOnSqlite, { database: 'sqlite', node });
  inLanes('e2e, on Node 24', onSqlite, { database: 'sqlite', node });
}

function end() {
  rmSync(scratch, { recursive: true, force: true });
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  const before =
    process.env.TEST_TALLY && existsSync(process.env.TEST_TALLY) ? tally() : { passed: 0, failed: 0 };
  if (process.env.TEST_TALLY) appendFileSync(process.env.TEST_TALLY, `${JSON.stringify(totals)}\n`);
  if (totals.skipped > 0) {
    console.log(`\n${totals.skipped} tests were skipped: see the lines SKIPPED above for what they need`);
    if (process.env.REQUIRE_SERVICES === '1') totals.failed += totals.skipped;
  }
  console.log(`\n${minutes} minutes`);
  console.log(`${before.passed + totals.passed} passed, ${before.failed + totals.failed} failed`);
  process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);
}

/** Adds the tiers that have run before this one. */
function tally() {
  const lines = readFileSync(process.env.TEST_TALLY, 'utf8')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map(JSON.parse);
  const sum = (key) => lines.reduce((total, line) => total + line[key], 0);
  return { passed: sum('passed'), failed: sum('failed') };
}

(tier ? tiers[tier] : newcomer)();
end();
