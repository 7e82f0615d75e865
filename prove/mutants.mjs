/**
 * Checks the proofs: for each of them builds are made without the lock, gate, condition, fence or sync that it watches;
 * the proof must fail on every one of them, by the figure named here, and pass on the real build at the same small
 * size. A mutant whose text is not found is a failure too. Most proofs sample at random: one that misses a mutant is
 * repeated once with another seed, which is reported. `node prove/mutants.mjs [proof …]`; `PROVE_DIST` names another
 * build than dist/.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyEdits } from './support/mutant-edits.mjs';
import { proofs } from './support/mutant-list.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const built = process.env.PROVE_DIST ?? join(root, 'dist');
const workshop = join(root, '.cache', 'mutants');
const scratch = join(workshop, 'tmp');
const LIMIT_MS = 300_000;
const TRIES = 2;
const AT_ONCE = 2;

function makeMutant(directory, edits) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  cpSync(built, join(directory, 'dist'), { recursive: true });
  // Files that the build expects beside itself.
  for (const beside of ['assets', 'samples', 'package.json'])
    symlinkSync(join(root, beside), join(directory, beside));
  applyEdits(join(directory, 'dist'), edits);
}

/** Runs a proof in a process group of its own; with `until` only until a line matches. */
function runProof(name, env, until) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'prove', `${name}.mjs`)], {
      // Temporary files of a proof that is ended early are removed with the workshop.
      env: { ...process.env, TMPDIR: scratch, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const failures = () => output.split('\n').filter((line) => line.trim().startsWith('FAIL'));
    const stop = () => child.exitCode ?? process.kill(-child.pid, 'SIGKILL');
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
        if (until && failures().some((line) => until.test(line))) stop();
      });
    const timer = setTimeout(stop, LIMIT_MS);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output, failures: failures() });
    });
  });
}

const rows = [];
function note(proof, mutant, good, figure) {
  rows.push({ good });
  console.log(`${good ? 'ok  ' : 'FAIL'}  ${proof.padEnd(9)} ${mutant.padEnd(52)} ${figure}`);
}

async function proveMutant(name, env, { name: mutant, edits, failsBy, slow, env: own = {} }) {
  const directory = join(workshop, `${name}-${mutant.replaceAll(/\W+/g, '-')}`);
  const startedAt = performance.now();
  try {
    makeMutant(directory, edits);
    const build = { PROVE_DIST: join(directory, 'dist') };
    let line;
    let last;
    let tries = 0;
    while (!line && tries++ < TRIES) {
      last = await runProof(name, { ...env, ...own, ...build }, slow && failsBy);
      if (last.code !== 0) line = last.failures.find((failure) => failsBy.test(failure));
    }
    const good = line !== undefined;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    const figure = line?.trim().replace(/^FAIL\s+/, '') ?? `not found out (exit ${last.code})`;
    note(name, mutant, good, `${figure}, ${seconds} s${good && tries > 1 ? ', at the second try' : ''}`);
    if (!good) console.log(last.output.trim().split('\n').slice(-25).join('\n'));
  } catch (error) {
    note(name, mutant, false, error.message);
  }
  rmSync(directory, { recursive: true, force: true });
}

/** Runs a proof on the real build, which it must pass. */
async function proveReal([name, { env }]) {
  const real = await runProof(name, { ...env, PROVE_DIST: built });
  note(name, '(the real build)', real.code === 0, real.code === 0 ? 'passes' : real.failures.join('; '));
  if (real.code !== 0) console.log(real.output.trim().split('\n').slice(-25).join('\n'));
}

/**
 * Proves the real build one proof after another, since some hold bounds of time, then the mutants of `AT_ONCE` proofs at a
 * time, since each waits more than it computes; those with most mutants begin.
 */
async function proveAll(wanted) {
  for (const proof of wanted) await proveReal(proof);
  const queue = wanted.toSorted(([, one], [, other]) => other.mutants.length - one.mutants.length);
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [name, { env, mutants }] = next;
      for (const mutant of mutants) await proveMutant(name, env, mutant);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

if (!existsSync(join(built, 'main.js'))) throw new Error('There is no build. Run `npm run build` first.');
const named = process.argv.slice(2);
const wanted = Object.entries(proofs).filter(([name]) => named.length === 0 || named.includes(name));
mkdirSync(scratch, { recursive: true });
console.log('\n# prove:mutants\n');
await proveAll(wanted);
rmSync(workshop, { recursive: true, force: true });
const failed = rows.filter(({ good }) => !good).length;
console.log(`\n${rows.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 && rows.length > 0 ? 0 : 1);
