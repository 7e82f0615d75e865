/**
 * Checks a sealed report offline: `npm run verify -- report.pdf [--key <fingerprint | file>]`. Says who sealed it, whether
 * it is as it was sealed, and which pictures are the recorded ones. Ends with 0 where the seal of a trusted key fits the
 * file, 1 where the file was altered, 2 where nobody trusted vouches for it (no seal, or one by a key that is not trusted)
 * or it could not be read.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { lookApart } from './verify/look-apart.mjs';
import { sealsOf } from './verify/seals.mjs';
import { trustedKeys } from './verify/trusted-keys.mjs';
import { comparePictures, reportLine } from './verify/words.mjs';

const USAGE = `Usage: npm run verify -- report.pdf [--key <fingerprint | public key | file>]
The key is that of the service that made the report: ask for its fingerprint (64 hex digits) on another way than the report came.
Without --key it is that of the service installed here.`;

/** What the seals say, as the exit code and in words. */
function verdictOf(seals, trusted) {
  const genuine = seals.find((seal) => seal.trusted && seal.holds);
  if (genuine) {
    return [0, `Sealed by the key ${genuine.fingerprint}: trusted, ${trusted.get(genuine.fingerprint)}.`];
  }
  const broken =
    seals.find((seal) => seal.trusted) ?? (seals.some((seal) => seal.holds) ? undefined : seals[0]);
  if (broken) {
    return [
      1,
      `Sealed by the key ${broken.fingerprint}: ${broken.trusted ? 'trusted' : 'not trusted here'}.`,
      'ALTERED: The seal does not fit the file: it was altered after it was sealed.',
    ];
  }
  const [stranger] = seals;
  if (!stranger) {
    return [
      2,
      'NO SEAL: The file is not as a service made it. It may only have been saved again by another program, or be made up: ask for the file as it was sent.',
    ];
  }
  return [
    2,
    `NOT VOUCHED FOR: It was sealed by the key ${stranger.fingerprint}, which is not trusted here. Anybody can seal a file with a key of their own.`,
    'Compare this fingerprint with the one that the maker of the report gives you, on another way than the report came, and name that one with --key.',
  ];
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { key: { type: 'string', multiple: true, default: [] } },
  });
  const [path, ...keys] = positionals;
  if (path === undefined) throw new Error(USAGE);
  const trusted = trustedKeys([...values.key, ...keys], join(dirname(fileURLToPath(import.meta.url)), '..'));
  const file = readFileSync(path);
  const [code, ...words] = verdictOf(
    sealsOf(file, (fingerprint) => trusted.has(fingerprint)),
    trusted,
  );
  const found = await lookApart(file);
  const { faults, told } = comparePictures(found, code === 0);
  if (found.manifest) console.log(reportLine(found.manifest));
  for (const line of [...words, ...faults, told]) console.log(line);
  return code === 0 && faults.length > 0 ? 1 : code;
}

main().then(
  (code) => (process.exitCode = code),
  (error) => {
    console.error(error.message);
    process.exitCode = 2;
  },
);
