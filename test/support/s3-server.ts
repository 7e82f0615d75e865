import { basename } from 'node:path';
import { ACCOUNT, type Bucket, startBucket as startServer } from '../../prove/support/bucket.mjs';

export interface TestBucket extends Bucket {
  /** The variables of a service whose blobs lie in it, under this prefix. */
  env(prefix?: string): Record<string, string>;
}

export const s3Variables = (endpoint: string, prefix = '', bucket = 'blobs'): Record<string, string> => ({
  STORAGE_URL: `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}&region=eu-central-1`,
  ...ACCOUNT,
});

/** Starts `s3rver` on loopback with an empty bucket `blobs`. */
export async function startBucket(): Promise<TestBucket> {
  const server = await startServer();
  return { ...server, env: (prefix) => s3Variables(server.endpoint, prefix) };
}

let shared: Promise<TestBucket> | undefined;

/**
 * Under `TEST_STORAGE=s3` the blobs of every test's service lie in a bucket, each under a prefix of its own, that of its
 * directory; processes that the test starts find the same bucket. Suites that look into the directory of blobs fail then.
 */
export async function chosenStorage(dataDir: string): Promise<Record<string, string>> {
  const chosen = process.env['TEST_STORAGE'];
  if (chosen === undefined) return {};
  if (chosen !== 's3') return s3Variables(chosen, basename(dataDir));
  shared ??= startBucket();
  const bucket = await shared;
  bucket.unref();
  process.env['TEST_STORAGE'] = bucket.endpoint;
  return bucket.env(basename(dataDir));
}
