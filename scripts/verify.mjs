/**
 * Checks a sealed report offline: `npm run verify -- report.pdf [--key <fingerprint | file>]`. Reports who sealed it,
 * if it is unchanged since, the content and signer of each later revision, and which pictures are the recorded ones.
 * Exits with 0 if the first revision is as a trusted key sealed it and every later one only adds signatures, form
 * fields or comments, 1 if the file was altered, 2 if no trusted key confirms it or it could not be read.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkApart } from './verify/check-apart.mjs';
import { trustedKeys } from './verify/trusted-keys.mjs';
import { verdictOf } from './verify/verdict.mjs';

const USAGE = `Usage: npm run verify -- report.pdf [--key <fingerprint | public key | file>]
The key is that of the service that made the report. Ask for its fingerprint (64 hex digits) by a different route from the report.
Without --key, the key of the service installed here is used.`;

/** A public key in base64url may begin with a hyphen, which `parseArgs` would take for an option. */
const HYPHENED = /^-[\w-]{42}$/;

function withWholeKeys(args) {
  return args.flatMap((arg, at) => {
    if (HYPHENED.test(arg)) return [`--key=${arg}`];
    return arg === '--key' && HYPHENED.test(args[at + 1] ?? '') ? [] : [arg];
  });
}

async function main() {
  const { values, positionals } = parseArgs({
    args: withWholeKeys(process.argv.slice(2)),
    allowPositionals: true,
    options: { key: { type: 'string', multiple: true, default: [] } },
  });
  const [path, ...keys] = positionals;
  if (path === undefined) throw new Error(USAGE);
  const trusted = trustedKeys([...values.key, ...keys], join(dirname(fileURLToPath(import.meta.url)), '..'));
  const file = new Uint8Array(readFileSync(path));
  const { seals, found } = await checkApart(file, [...trusted.keys()]);
  const { code, report, lines, revisions, pictures } = verdictOf({
    seals,
    found,
    trusted,
    length: file.length,
  });
  if (report !== undefined) console.log(report);
  for (const line of [...lines, ...revisions, ...pictures.faults, pictures.sentence]) console.log(line);
  return code;
}

main().then(
  (code) => (process.exitCode = code),
  (error) => {
    console.error(error.message);
    process.exitCode = 2;
  },
);
