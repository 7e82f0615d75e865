/**
 * Runs the benchmarks in sequence. Each compares its alternatives within one run, so that its ratios hold on any
 * machine; absolute times are printed for orientation only. `node bench/run.mjs [name …]`; exits with 1 if a target is
 * missed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const all = [
  'statements',
  'throughput',
  'replicas',
  'lanes',
  'resumption',
  'flat',
  'first-token',
  'engine',
  'streams',
  'models',
  'start',
  'while-rendering',
  'render',
  'signature',
  'pictures',
  'guards',
  'openai',
  'listing',
  'scrolling',
  'chat-page',
  'canvas',
  'moving',
];
const wanted = process.argv.slice(2);
const ensureBuilt = fileURLToPath(new URL('../scripts/ensure-built.mjs', import.meta.url));
if (!process.env.PROVE_DIST) spawnSync(process.execPath, [ensureBuilt], { stdio: 'inherit' });
const missed = [];
for (const name of wanted.length > 0 ? wanted : all) {
  const script = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
  if (!existsSync(script)) continue;
  const { status } = spawnSync(process.execPath, [script], { stdio: 'inherit' });
  if (status !== 0) missed.push(name);
}
console.log(missed.length === 0 ? '\nEvery target was reached.' : `\nNot reached: ${missed.join(', ')}`);
process.exitCode = missed.length === 0 ? 0 : 1;
