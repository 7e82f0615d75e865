import { config as readEnvironment } from 'dotenv';
/**
 * Imports Flowise flows into the running service: `npm run import -- file.json … [--models models.json] [--on-conflict
 * replace|copy] [--url http://127.0.0.1:3000]`. A file is an AgentFlow V2 export, whose flow gets the id and the name
 * of the file; a row with `flowData`; or an "export all" file, whose flows have ids and names of their own. Prints
 * everything that was not carried over. Exits with 0 if all files became flows, 1 if the service refused one, 2 if
 * nothing could be sent.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { address, adminKey, callService, NotSent } from './running-service.mjs';

const USAGE = `Usage: npm run import -- file.json … [--models models.json] [--on-conflict replace|copy] [--url http://127.0.0.1:3000]
Imports AgentFlow V2 exports, rows with flowData and "export all" files into the running service. A flow whose file does not name it gets the id and the name of its file.
--on-conflict: where a flow with its id is there, replace its definition or store the import under a new id; without, the file is refused.
--models: a file with { "<model class of the export>" | "*": model }, the models that the flows are to ask instead.
--url: where the service is; HOST and PORT say so otherwise. Its admin key is ADMIN_API_KEY, or the file admin-key in SECRETS_DIR or DATA_DIR.`;

const FLOW_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{2,63}$/;

function readJson(file) {
  let text;
  try {
    // Without the byte order mark, with which some editors begin a file.
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new Error(`it cannot be read (${error.code ?? error.message})`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
}

/** The members of an "export all" file that contain flows. */
const FLOW_TABLES = ['AgentFlowV2', 'AgentFlow', 'ChatFlow', 'AssistantFlow'];

/** An "export all" file names its flows itself; names inside any other file take precedence over its file name. */
function bodyOf(file, wishes) {
  const value = readJson(file);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('it is no AgentFlow V2 export');
  const given = Object.hasOwn(value, 'export') ? (value.export ?? {}) : value;
  if (FLOW_TABLES.some((table) => Array.isArray(given[table]))) return { ...value, ...wishes };
  const { id, name } = given === value ? {} : given;
  const stem = basename(file).replace(/\.json$/i, '');
  const own = {
    name: ownWord(name) ?? stem.slice(0, 200),
    id: ownWord(id) ?? (FLOW_ID.test(stem) ? stem : undefined),
  };
  const body = { ...own, ...value, ...wishes };
  return { ...body, name: ownWord(body.name) ?? own.name, id: ownWord(body.id) ?? own.id };
}

const ownWord = (value) => (value === null || value === '' ? undefined : value);

const send = (body, service) => callService('POST', '/api/v1/flows/import', body, service);

const warningLine = ({ path, message, count, suggestion }) =>
  `  ${path === undefined ? '' : `${path}: `}${message}${count > 1 ? ` (${count} times)` : ''}${suggestion === undefined ? '' : ` Was "${suggestion}" meant?`}\n`;

/** Returns the number of refused files. */
async function importAll(files, wishes, service) {
  let refused = 0;
  for (const file of files) {
    try {
      const answer = await send(bodyOf(file, wishes), service);
      for (const { id, name, warnings = [] } of answer.flows ?? [answer])
        process.stdout.write(`${file}: imported as "${name}" (${id})\n${warnings.map(warningLine).join('')}`);
      if (answer.flows && answer.warnings)
        process.stdout.write(`${file}: not imported\n${answer.warnings.map(warningLine).join('')}`);
    } catch (error) {
      if (error instanceof NotSent) throw error;
      refused++;
      process.stderr.write(`${file}: not imported: ${error.message}\n`);
    }
  }
  return refused;
}

function argumentsGiven() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { models: { type: 'string' }, 'on-conflict': { type: 'string' }, url: { type: 'string' } },
    });
    if (positionals.length === 0) throw new Error(USAGE);
    if (!['replace', 'copy', undefined].includes(values['on-conflict']))
      throw new Error('--on-conflict must be replace or copy.');
    if (values.url !== undefined && !URL.canParse(values.url)) throw new Error('--url must be an address.');
    return { ...values, files: positionals };
  } catch (error) {
    throw new NotSent(error.message);
  }
}

function modelsIn(file) {
  try {
    return file === undefined ? undefined : readJson(file);
  } catch (error) {
    throw new NotSent(`${file}: ${error.message}`);
  }
}

async function run() {
  readEnvironment({ quiet: true });
  const { files, models, 'on-conflict': onConflict, url = address(process.env) } = argumentsGiven();
  const wishes = Object.fromEntries(
    Object.entries({ models: modelsIn(models), onConflict }).filter(([, value]) => value !== undefined),
  );
  process.exitCode = (await importAll(files, wishes, { url, key: adminKey(process.env) })) > 0 ? 1 : 0;
}

await run().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
});
