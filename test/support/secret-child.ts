import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { openSecret } from '../../src/common/secrets/secret-file.js';
import { adminKey, credentialsKey, linkSecret, sealKey } from '../../src/common/secrets/secret-kind.js';

/**
 * Reads one secret of a directory as the service does at its start, and prints its hash; starts when its input ends.
 */
async function main([directory, file, token]: string[]): Promise<void> {
  for await (const _ of process.stdin);
  const kind = [adminKey, linkSecret, sealKey, credentialsKey].find((known) => known.file === file)!;
  const { text } = await openSecret(join(directory!, file!), kind, token);
  process.stdout.write(`${createHash('sha256').update(text).digest('hex')}\n`);
}

main(process.argv.slice(1)).catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
});
