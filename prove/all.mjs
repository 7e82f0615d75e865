/**
 * Runs every proof in sequence, at full size or with `PROVE_SHORT=1` short; `node prove/all.mjs <name> …` runs the
 * named ones. Prints a summary line per proof; exits with 1 if one failed, or a mutant no longer fits the build.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brokenMutants } from './support/mutant-edits.mjs';
import { SKIPPED } from './support/report.mjs';
import { shortSizes } from './support/short-sizes.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const named = process.argv.slice(2);
/** Mutants take far longer than the proofs themselves, so the short run leaves them out. */
const all = [...Object.keys(shortSizes), ...(process.env.PROVE_SHORT === '1' ? [] : ['mutants'])];

/** The result of a proof, by its exit code. */
const outcomes = new Map([
  [0, 'ok'],
  [SKIPPED, 'SKIPPED'],
]);

async function run(name) {
  const started = performance.now();
  const child = spawn(process.execPath, [join(here, `${name}.mjs`)], { stdio: 'inherit' });
  const [status] = await once(child, 'close');
  return { name, outcome: outcomes.get(status) ?? 'FAIL', seconds: (performance.now() - started) / 1000 };
}

const broken = brokenMutants(process.env.PROVE_DIST ?? join(here, '..', 'dist'));
for (const sentence of broken) console.log(`FAIL  mutant of ${sentence}`);

const wanted = named.length > 0 ? named : all;
const results = [];
for (const name of wanted) results.push(await run(name));

console.log('\n# prove\n');
for (const { name, outcome, seconds } of results)
  console.log(`${outcome.padEnd(7)}  prove:${name.padEnd(9)} ${seconds.toFixed(0)} s`);
const count = (wanted) => results.filter(({ outcome }) => outcome === wanted).length;
console.log(`\n${count('ok')} passed, ${count('FAIL')} failed, ${count('SKIPPED')} skipped`);
process.exit(count('FAIL') === 0 && broken.length === 0 ? 0 : 1);
