import type { Server } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A bucket on a server of its own on this machine. */
export interface TestBucket {
  /** `http://127.0.0.1:<port>` */
  endpoint: string;
  /** The variables of a service whose blobs lie in it, under this prefix. */
  env(prefix?: string): Record<string, string>;
  /** Lets the process end while it runs. */
  unref(): void;
  close(): Promise<void>;
}

/** The package has no types of its own. */
const S3RVER: string = 's3rver';

/** The account that `s3rver` knows. */
const ACCOUNT = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  httpServer: Server;
}
type MakeS3rver = new (options: object) => S3rver;

export const s3Variables = (endpoint: string, prefix = '', bucket = 'blobs'): Record<string, string> => ({
  STORAGE_URL: `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}&region=eu-central-1`,
  ...ACCOUNT,
});

/** Starts `s3rver` on loopback with an empty bucket `blobs`. */
export async function startBucket(): Promise<TestBucket> {
  const { default: Server } = (await import(S3RVER)) as { default: MakeS3rver };
  const directory = mkdtempSync(join(tmpdir(), 'bucket-'));
  const options = { port: 0, address: '127.0.0.1', silent: true, directory };
  const server = new Server({ ...options, configureBuckets: [{ name: 'blobs' }] });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    env: (prefix) => s3Variables(endpoint, prefix),
    unref: () => {
      server.httpServer.unref();
      server.httpServer.on('connection', (socket) => socket.unref());
    },
    close: async () => {
      // Clients keep their connections for the next call.
      server.httpServer.closeAllConnections();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
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
