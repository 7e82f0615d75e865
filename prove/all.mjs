/**
 * Every proof, one after another: at full size, or with `PROVE_SHORT=1` at the small sizes that CI has time for (a size
 * given by the environment wins). Ends with a line a proof; the exit code is 1 when one of them failed.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SKIPPED } from './support/report.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const short = process.env.PROVE_SHORT === '1';

/** The sizes of the short versions. */
const proofs = {
  ledger: { PROVE_CALLS: '400' },
  block: {},
  limits: { PROVE_CALLS: '2000' },
  kill: { PROVE_CYCLES: '10' },
  power: { PROVE_STATES: '200', PROVE_STARTS: '5', PROVE_ROUNDS: '4' },
  paused: { PROVE_STEP: '9' },
  once: { PROVE_STEP: '14', PROVE_TIMES: '1' },
  async: { PROVE_RUNS: '30', PROVE_KILLS: '2' },
  approvals: { PROVE_KILLS: '8' },
  claims: { PROVE_ROUNDS: '2', PROVE_RENDERS: '50' },
  sessions: {},
  replicas: { PROVE_CALLS: '600', PROVE_ROUNDS: '1', PROVE_STOP_MS: '6000' },
  fuzz: { PROVE_CALLS: '500' },
  sse: { PROVE_READERS: '100', PROVE_LEAVING: '100', PROVE_DATABASE: 'sqlite' },
  streams: { PROVE_STREAMS: '60', PROVE_KILLS: '3' },
  egress: {},
  overload: { PROVE_DATABASE: 'sqlite' },
  pictures: { PROVE_CALLERS: '3', PROVE_BOMBS: '30', PROVE_LOOKS: '2' },
};

/** Whether each proof can fail: far longer than the proofs themselves, so not among the short ones. */
if (!short) proofs.mutants = {};

/** The result of a proof, by its exit code. */
const outcomes = new Map([
  [0, 'ok'],
  [SKIPPED, 'SKIPPED'],
]);

const results = Object.entries(proofs).map(([name, small]) => {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, [join(here, `${name}.mjs`)], {
    stdio: 'inherit',
    env: { ...(short ? small : {}), ...process.env },
  });
  return { name, outcome: outcomes.get(status) ?? 'FAIL', seconds: (performance.now() - started) / 1000 };
});

console.log('\n# prove\n');
for (const { name, outcome, seconds } of results)
  console.log(`${outcome.padEnd(7)}  prove:${name.padEnd(9)} ${seconds.toFixed(0)} s`);
const count = (wanted) => results.filter(({ outcome }) => outcome === wanted).length;
console.log(`\n${count('ok')} passed, ${count('FAIL')} failed, ${count('SKIPPED')} skipped`);
process.exit(count('FAIL') === 0 ? 0 : 1);
