/**
 * The proofs are proved: for each of them builds are made in which the lock, gate, condition or fence that it watches is
 * taken out; the proof must fail on every one of them, by the figure named here, and pass on the real build at the same
 * small size. A text to take out that is not found is a failure too, so that mutants cannot rot.
 * `node prove/mutants.mjs [proof …]`; `PROVE_DIST` names another build than dist/.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { proofs } from './support/mutant-list.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const built = process.env.PROVE_DIST ?? join(root, 'dist');
const workshop = join(root, '.cache', 'mutants');
const LIMIT_MS = 300_000;

function makeMutant(directory, edits) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  cpSync(built, join(directory, 'dist'), { recursive: true });
  // What the build finds beside itself.
  for (const beside of ['assets', 'samples', 'package.json'])
    symlinkSync(join(root, beside), join(directory, beside));
  for (const [file, find, replace] of edits) {
    const path = join(directory, 'dist', file);
    const text = readFileSync(path, 'utf8');
    const found = text.split(find).length - 1;
    if (found !== 1) throw new Error(`"${find}" stands ${found} times in dist/${file}`);
    writeFileSync(
      path,
      text.replace(find, () => replace),
    );
  }
}

/** Runs a proof with everything that it starts in a group of its own; with `until` only as long as no line matches. */
function runProof(name, env, until) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'prove', `${name}.mjs`)], {
      env: { ...process.env, ...env },
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
function note(proof, mutant, good, said) {
  rows.push({ good });
  console.log(`${good ? 'ok  ' : 'FAIL'}  ${proof.padEnd(9)} ${mutant.padEnd(52)} ${said}`);
}

async function proveMutant(name, env, { name: mutant, edits, failsBy, slow, env: own = {} }) {
  const directory = join(workshop, `${name}-${mutant.replaceAll(/\W+/g, '-')}`);
  try {
    makeMutant(directory, edits);
    const build = { PROVE_DIST: join(directory, 'dist') };
    const { code, failures, output } = await runProof(name, { ...env, ...own, ...build }, slow && failsBy);
    const line = failures.find((failure) => failsBy.test(failure));
    const good = code !== 0 && line !== undefined;
    note(name, mutant, good, line?.trim().replace(/^FAIL\s+/, '') ?? `not found out (exit ${code})`);
    if (!good) console.log(output.trim().split('\n').slice(-25).join('\n'));
  } catch (error) {
    note(name, mutant, false, error.message);
  }
  rmSync(directory, { recursive: true, force: true });
}

if (!existsSync(join(built, 'main.js'))) throw new Error('There is no build. Run `npm run build` first.');
const wanted = process.argv.slice(2);
console.log('\n# prove:mutants\n');
for (const [name, { env, mutants }] of Object.entries(proofs)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const real = await runProof(name, { ...env, PROVE_DIST: built });
  note(name, '(the real build)', real.code === 0, real.code === 0 ? 'passes' : real.failures.join('; '));
  if (real.code !== 0) console.log(real.output.trim().split('\n').slice(-25).join('\n'));
  for (const mutant of mutants) await proveMutant(name, env, mutant);
}
rmSync(workshop, { recursive: true, force: true });
const failed = rows.filter(({ good }) => !good).length;
console.log(`\n${rows.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 && rows.length > 0 ? 0 : 1);
