/**
 * The sizes of the short proofs. Every proof imports this first: with `PROVE_SHORT=1` its sizes below apply, and a size
 * given by the environment wins.
 */
import { basename } from 'node:path';

export const shortSizes = {
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
  bounds: { PROVE_DATABASE: 'sqlite', PROVE_ATTACKS: 'many words,full sessions,a schema,wide,guesses' },
  pictures: { PROVE_CALLERS: '3', PROVE_BOMBS: '30', PROVE_LOOKS: '2' },
};

if (process.env.PROVE_SHORT === '1')
  for (const [name, size] of Object.entries(shortSizes[basename(process.argv[1], '.mjs')] ?? {}))
    process.env[name] ??= size;
