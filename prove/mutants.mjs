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

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const built = process.env.PROVE_DIST ?? join(root, 'dist');
const workshop = join(root, '.cache', 'mutants');
const LIMIT_MS = 300_000;

/**
 * Each proof: how small it runs, and its mutants with the figure that must give each of them away; a `slow` one is ended
 * as soon as it has.
 */
const proofs = {
  ledger: {
    env: { PROVE_CALLS: '300', PROVE_DATABASE: 'sqlite' },
    mutants: [
      {
        name: 'a charge that does not ask for the balance',
        edits: [
          [
            'auth/credit/credit-ledger.js',
            'WHERE account = ? AND balance >= ? RETURNING',
            'WHERE account = ? AND ? >= 0 RETURNING',
          ],
        ],
        failsBy: /refused 402/,
      },
      {
        name: 'failed runs are not refunded',
        edits: [
          [
            'auth/credit/credit-ledger.js',
            "if (settled.status !== 'failed' ||",
            'if (settled.status !== null ||',
          ],
        ],
        failsBy: /answered \+ left = credit/,
      },
      {
        name: 'the balance moves without its entry',
        edits: [['auth/credit/credit-ledger.js', 'await this.append(tx, entries);', 'void entries;']],
        failsBy: /sum of the ledger − balance/,
      },
    ],
  },
  block: {
    env: { PROVE_DATABASE: 'sqlite' },
    mutants: [
      {
        name: 'a miss is counted while the address is blocked',
        edits: [
          [
            'auth/address-block/address-block.js',
            'WHERE known.blocked_until IS NULL OR known.blocked_until <= excluded.latest_at',
            'WHERE 1 = 1',
          ],
        ],
        failsBy: /404 of 100/,
      },
      {
        name: 'the window never ends',
        edits: [
          [
            'auth/address-block/address-block.js',
            '`known.earlier_at >= excluded.latest_at - ${STRIKE_WINDOW_MS}`',
            "'known.earlier_at IS NOT NULL'",
          ],
        ],
        failsBy: /900\.1 s/,
      },
    ],
  },
  limits: {
    env: { PROVE_CALLS: '1500', PROVE_DATABASE: 'sqlite' },
    mutants: [
      {
        name: 'calls leave the window too early',
        edits: [
          ['auth/rate-limit/rate-limits.js', 'arrivedAt - windowMs', 'arrivedAt - windowMs / 2'],
          ['auth/rate-limit/rate-limits.js', 'this.rememberFull(full, state.freeAt);', ';'],
        ],
        failsBy: /windows with more than/,
      },
      {
        name: 'looking and counting are not one transaction',
        edits: [
          [
            'auth/rate-limit/rate-limits.js',
            'const look = await this.look(tx, rate, Math',
            'const look = await this.look(this.reader, rate, Math',
          ],
          ['auth/rate-limit/rate-limits.js', '(look?.newest ?? 0) + 1', 'Math.floor(Math.random() * 1e12)'],
        ],
        failsBy: /accepted of 500|windows with more than/,
      },
    ],
  },
  claims: {
    env: { PROVE_ROUNDS: '2', PROVE_RENDERS: '20', PROVE_DATABASE: 'sqlite' },
    mutants: [
      {
        name: 'a claim takes what another has taken',
        edits: [
          ['inspection/claim.service.js', 'WHERE ${place.sql} AND claim_id IS NULL', 'WHERE ${place.sql}'],
        ],
        failsBy: /rounds with exactly one file/,
      },
    ],
  },
  kill: {
    env: { PROVE_CYCLES: '8', PROVE_DATABASE: 'sqlite' },
    mutants: [
      {
        name: 'what a dead process ran is not ended',
        edits: [['executions/recovery.js', 'ended += await this.interrupt(row.process_id)', 'ended += 0']],
        failsBy: /records left running/,
      },
      {
        name: 'claims of a dead process are not released',
        edits: [
          [
            'inspection/claim.service.js',
            "if (kind === 'prediction' && status === 'succeeded')",
            'if (kind !== undefined)',
          ],
        ],
        failsBy: /photographs in reports − recorded/,
      },
    ],
  },
  sessions: {
    env: { PROVE_DATABASE: 'sqlite' },
    mutants: [
      {
        name: 'calls of a chat take no turn',
        edits: [
          ['prediction/chat-turns.js', 'if (line === undefined) {', 'if (line === undefined || true) {'],
          ['executions/execution-rows.js', 'draft.takesTurn ? 1 : null', 'null'],
        ],
        failsBy: /permutation/,
      },
      {
        name: 'the turn holds within one process only',
        env: { PROVE_DATABASE: 'postgres' },
        edits: [['executions/execution-rows.js', 'draft.takesTurn ? 1 : null', 'null']],
        failsBy: /permutation/,
      },
    ],
  },
  fuzz: {
    env: { PROVE_CALLS: '150' },
    mutants: [
      {
        name: 'JSON that breaks off is an unexpected error',
        edits: [
          [
            'common/json-text.js',
            "new ServiceError(400, 'invalid_request', 'The body is not JSON",
            "new Error('The body is not JSON",
          ],
        ],
        failsBy: /unexpected 5xx/,
      },
      {
        name: 'a question of any length is taken',
        edits: [
          ['prediction/prediction-body.js', 'Buffer.byteLength(given.question) > LONGEST_QUESTION', 'false'],
        ],
        failsBy: /question too long/,
      },
    ],
  },
  sse: {
    env: { PROVE_READERS: '100', PROVE_LEAVING: '60', PROVE_DATABASE: 'sqlite' },
    mutants: [
      {
        name: 'frames are never dropped',
        edits: [
          [
            'prediction/frame-log.js',
            'while (this.dropped < this.frames.length - 1) {',
            'while (this.dropped < 0) {',
          ],
        ],
        slow: true,
        failsBy: /readers that never read|cut off on the way/,
      },
      {
        name: 'a run goes on when all have left',
        edits: [
          [
            'prediction/active-run.js',
            "this.grace = setTimeout(() => this.stop('caller_left'), this.graceMs);",
            '',
          ],
        ],
        slow: true,
        failsBy: /still running|still open at the model/,
      },
    ],
  },
  overload: {
    env: { PROVE_DATABASE: 'sqlite' },
    mutants: [
      {
        name: 'calls beyond the limit are let in',
        edits: [['common/in-flight.js', 'if (inFlight >= config.maxInFlight) {', 'if (inFlight < 0) {']],
        failsBy: /most that ran at once/,
      },
      {
        name: 'answers that wait on a broken connection are never closed',
        edits: [['app.setup.js', 'app.use(closeWithConnection);', ';']],
        failsBy: /under way when/,
      },
    ],
  },
  egress: {
    env: {},
    mutants: [
      {
        name: 'the answer of the name server is believed',
        edits: [
          ['common/outbound-http.js', '!addresses.every(({ address }) => isPublicAddress(address))', 'false'],
        ],
        failsBy: /connections by/,
      },
    ],
  },
};

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
