import { S3Client } from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import type { S3Place } from '../common/app-config.js';

/** How long the bucket is waited for, in milliseconds, and how often a call is tried. */
export interface S3Patience {
  readonly connectMs: number;
  /** Without a byte either way. */
  readonly silenceMs: number;
  /** From a call to the beginning of its answer; a part of 8 MB goes up in that. */
  readonly callMs: number;
  readonly attempts: number;
}

const PATIENCE: S3Patience = { connectMs: 5_000, silenceMs: 20_000, callMs: 60_000, attempts: 4 };

/**
 * A client of Amazon's S3 or of another that speaks as it does (`endpoint`: the bucket stands in the path then). Retries
 * what fails on the way, 5xx and throttling, with growing pauses.
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
    // Some servers refuse the newer checksums; every one knows the Content-MD5 below.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  // For the bucket to check the bytes of an object or a part that reached it.
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
