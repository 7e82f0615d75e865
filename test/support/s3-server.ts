import { basename } from 'node:path';
import { ACCOUNT, type Bucket, startBucket as startServer } from '../../prove/support/bucket.mjs';

export interface TestBucket extends Bucket {
  /** Returns the environment of a service that stores its blobs in the bucket, under this prefix. */
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
 * Under `TEST_STORAGE=s3` every test's service stores its blobs in a bucket, under a prefix that its directory names;
 * processes started by the test use the same bucket. Suites that read the directory of blobs fail then.
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
