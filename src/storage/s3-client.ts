import { S3Client } from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import type { S3Place } from '../common/app-config.js';

/** Time limits of calls to the bucket in milliseconds, and the number of attempts. */
export interface S3Patience {
  readonly connectMs: number;
  /** Time without a byte in either direction. */
  readonly silenceMs: number;
  /** Time from a call to the beginning of its answer, within which a part of 8 MB is uploaded. */
  readonly callMs: number;
  readonly attempts: number;
}

const PATIENCE: S3Patience = { connectMs: 5_000, silenceMs: 20_000, callMs: 60_000, attempts: 4 };

/**
 * Creates a client of Amazon S3 or of a compatible service (`endpoint`; the bucket is then in the path). Retries network
 * errors, 5xx and throttling with growing pauses.
 */
export function s3Client(
  { endpoint, region, credentials }: S3Place,
  { connectMs, silenceMs, callMs, attempts }: S3Patience = PATIENCE,
): S3Client {
  const client = new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: silenceMs,
      requestTimeout: callMs,
      throwOnRequestTimeout: true,
    },
    // Some servers refuse the newer checksums; all of them accept the Content-MD5 below.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  // Lets the bucket check the bytes that it received.
  client.middlewareStack.add(
    (next) => (args) => {
      const { body, headers } = args.request as { body?: unknown; headers: Record<string, string> };
      if (body instanceof Uint8Array)
        headers['content-md5'] = createHash('md5').update(body).digest('base64');
      return next(args);
    },
    { step: 'build', name: 'contentMd5' },
  );
  return client;
}
