/**
 * Finds the parts touched by a change: the files that differ from `CHANGE_BASE`, else those of the commits of the last
 * 24 hours.
 */
import { spawnSync } from 'node:child_process';
import { proofs } from '../prove/support/mutant-list.mjs';
import { shortSizes } from '../prove/support/short-sizes.mjs';
import { mentions, root } from './test-suites.mjs';

/** Returns the changed paths; none if git cannot list them. */
export function changedFiles() {
  const base = process.env.CHANGE_BASE;
  const range = base
    ? ['diff', '--name-only', base]
    : ['log', '--since=24.hours', '--name-only', '--format='];
  const { stdout, status } = spawnSync('git', range, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 });
  return status === 0 ? [...new Set(stdout.split('\n').filter(Boolean))] : [];
}

const ROTATING = 3;
/** Proofs of changed files that are run. A day of changes may touch every proof, and all of them would take too long. */
const MOST_TOUCHED = 6;

/**
 * Chooses three short proofs that rotate by day, and those whose mutants edit a changed file: of more than six of these
 * the ones with the most changed files.
 */
export function proofsFor(changed) {
  const names = Object.keys(shortSizes);
  const day = Math.floor(Date.now() / 86_400_000);
  const rotating = names.filter(
    (_, index) => Math.floor(index / ROTATING) === day % Math.ceil(names.length / ROTATING),
  );
  const touched = Object.entries(proofs)
    .filter(([name]) => !rotating.includes(name))
    .map(([name, { mutants }]) => ({ name, count: changedOf(name, mutants, changed) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
    .slice(0, MOST_TOUCHED)
    .map(({ name }) => name);
  return names.filter((name) => rotating.includes(name) || touched.includes(name));
}

/** Counts the changed files of a proof, its own and those that its mutants edit. */
function changedOf(name, mutants, changed) {
  const sources = mutants.flatMap(({ edits }) =>
    edits.map(([file]) => `src/${file.replace(/\.js$/, '.ts')}`),
  );
  return [...new Set([`prove/${name}.mjs`, ...sources])].filter((file) => changed.includes(file)).length;
}

/** Pages of the main journeys: a clerk's inspection, and an admin's executions, reports, flows and keys. */
const MAIN_PAGES = [
  'chat-browser',
  'chat-inspection',
  'chat-photographs',
  'chat-offline',
  'console-access',
  'console-executions',
  'console-flow-editor',
  'console-inspections',
  'console-reports',
  'console-shell',
  'verify-page',
].map((name) => `test/${name}.spec.ts`);

/** Page suites besides the main ones for each part of `web/`, by their paths and what the pattern has found. */
const PAGES_OF = [
  [/^web\/chat/, (path) => /^test\/chat-/.test(path)],
  [/^web\/verify/, (path) => /^test\/verify-/.test(path)],
  [/^web\/common/, (path) => /^test\/(chat|console|verify)-/.test(path)],
  [/^web\/console\/(api|parts)/, (path) => /^test\/console-/.test(path)],
  [/^web\/console\/graph/, (path) => opens(path, 'executions') || opens(path, 'flows')],
  [/^web\/console\/(\w+)/, (path, area) => opens(path, area)],
];

/** Returns true if a suite opens pages of an area of the console. */
const opens = (path, area) =>
  path.startsWith(`test/console-${area.replace(/s$/, '')}`) ||
  mentions(path, new RegExp(`/console/${area}\\b|\\b${area.replace(/s$/, '')}Path\\(`));

/** Returns the page suites of the main journeys, the changed ones, and those of the parts of `web/` that changed. */
export function pagesFor(changed, pageSuites) {
  const touched = changed.flatMap((file) =>
    PAGES_OF.flatMap(([part, isOf]) => {
      const match = part.exec(file);
      return match ? [(path) => isOf(path, match[1])] : [];
    }),
  );
  return pageSuites.filter(
    (path) => MAIN_PAGES.includes(path) || changed.includes(path) || touched.some((isOf) => isOf(path)),
  );
}

/**
 * Long suites that depend on one part of `src/` alone, and on what all parts use: the files that they draw, read or
 * import are the same on every database.
 */
const PARTS = [
  [
    /^(src|assets|samples)\/(pdf|inspection|fonts)/,
    /^test\/(comparison|render-max-bytes|report-(hostile|many-facts|seal|signature|stamps)|signed-kills)/,
  ],
  [/^src\/documents/, /^test\/document-(crashes|index|ingestion|scale|stores|turns)/],
  [/^src\/(moving|flows\/import)/, /^test\/moving-/],
  [/^src\/storage/, /^test\/s3-/],
];

const USED_BY_ALL = /^src\/(common|database)\//;

/** Leaves out the suites whose part has not changed, unless something changed that all parts use. */
export function touchedSuites(changed, suites) {
  if (changed.includes('package-lock.json')) return suites;
  const isTouched = (path, part) =>
    changed.some((file) => file === path || part.test(file) || USED_BY_ALL.test(file));
  // Its files are read by nothing but the starts of a service, which other suites make.
  const secretsChanged = changed.some((file) =>
    /^src\/common\/secrets\/|^test\/.*(strace|secret)/.test(file),
  );
  return suites.filter(
    (path) =>
      PARTS.every(([part, names]) => !names.test(path) || isTouched(path, part)) &&
      (secretsChanged || !/^test\/secret-faults/.test(path)),
  );
}
