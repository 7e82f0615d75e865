import { config as readEnvironment } from 'dotenv';
/**
 * Runs the cases of a flow of the running service: `npm run cases -- <flow id> [--version draft|<number>] [--calls
 * recorded|live] [--url http://127.0.0.1:3000]`. Prints one line for each case. Exits with 0 if all passed, 1 if one failed
 * or the run was cut, 2 if nothing could be run.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { address, adminKey, callService, NotSent } from './running-service.mjs';

const USAGE = `Usage: npm run cases -- <flow id> [--version draft|<number>] [--calls recorded|live] [--url http://127.0.0.1:3000]
Runs the cases of a flow, by default of its published version, and prints one line for each. Exits with 1 if one fails.
--calls: live asks models and other services again and costs credit; by default each case decides.
--url: where the service is; HOST and PORT say so otherwise. Its admin key is ADMIN_API_KEY, or the file admin-key in SECRETS_DIR or DATA_DIR.`;

const EVERY_MS = 200;

function argumentsGiven() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { version: { type: 'string' }, calls: { type: 'string' }, url: { type: 'string' } },
    });
    if (positionals.length !== 1) throw new Error(USAGE);
    if (!/^(draft|[1-9]\d*)$/.test(values.version ?? 'draft'))
      throw new Error('--version must be draft or a number.');
    if (!['recorded', 'live', undefined].includes(values.calls))
      throw new Error('--calls must be recorded or live.');
    if (values.url !== undefined && !URL.canParse(values.url)) throw new Error('--url must be an address.');
    return { ...values, flowId: positionals[0] };
  } catch (error) {
    throw new NotSent(error.message);
  }
}

/** Returns why a case failed, in one line. */
function reasonOf({ error, checks }) {
  const failed = checks.filter(({ passed }) => !passed).map(({ detail }) => detail);
  return (error ?? failed.join(' ')).replaceAll(/\s+/g, ' ');
}

function lineOf(result) {
  const { name, caseId, passed, changed, requests, unused } = result;
  const notes = [
    ...(changed ? ['the answer has changed'] : []),
    ...(requests.length > 0 ? [`${requests.length} changed requests`] : []),
    ...(unused.length > 0 ? [`${unused.length} calls no longer made`] : []),
  ];
  const shown = notes.length > 0 ? ` (${notes.join(', ')})` : '';
  return `${passed ? 'passed' : 'FAILED'}  ${name} [${caseId}]${shown}${passed ? '' : `: ${reasonOf(result)}`}\n`;
}

async function run() {
  readEnvironment({ quiet: true });
  const { flowId, version, calls, url = address(process.env) } = argumentsGiven();
  const service = { url, key: adminKey(process.env) };
  const path = `/api/v1/flows/${encodeURIComponent(flowId)}/cases`;
  const order = {
    ...(version === undefined ? {} : { version: version === 'draft' ? version : Number(version) }),
    ...(calls === undefined ? {} : { calls }),
  };
  let state = await callService('POST', `${path}/run`, order, service).catch((error) => {
    throw new NotSent(error.message);
  });
  while (state.status === 'running') {
    await pause(EVERY_MS);
    state = await callService('GET', `${path}/runs/${state.id}`, undefined, service);
  }
  for (const result of state.results) process.stdout.write(lineOf(result));
  const { passed, total, error } = state;
  const which = state.version === 'draft' ? 'the draft' : `version ${state.version}`;
  process.stdout.write(`${passed} of ${total} cases passed against ${which}.${error ? ` ${error}` : ''}\n`);
  process.exitCode = state.status === 'finished' && passed === total ? 0 : 1;
}

await run().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof NotSent ? 2 : 1;
});
