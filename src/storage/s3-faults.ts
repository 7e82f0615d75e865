import type { S3Place } from '../common/app-config.js';
import { Overloaded } from '../common/service-error.js';

/** The members that are read of an error of the S3 client or of the network. */
interface S3Error {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Returns true if the object does not exist. The answer to a HEAD has only a status. */
export function isNoObject(error: unknown): boolean {
  const { name, $metadata } = error as S3Error;
  return (
    name === 'NoSuchKey' ||
    name === 'NotFound' ||
    ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket')
  );
}

/** Names the bucket and its address in messages. */
const bucketName = ({ bucket, endpoint, region }: S3Place): string =>
  `the bucket "${bucket}" at ${endpoint === undefined ? `Amazon S3 (${region})` : new URL(endpoint).host}`;

/** Returns the end of a sentence that says why the bucket cannot be used. Never the error's message, which may hold a key. */
function causeOf(error: unknown, place: S3Place): string {
  const { name = 'Error', code, $metadata } = error as S3Error;
  const status = $metadata?.httpStatusCode;
  const known = CAUSES.get(name);
  if (known !== undefined) return `${known} (${name})`;
  if (name === 'CredentialsProviderError')
    return 'no credentials were found for it (CredentialsProviderError)';
  if (status === 403) return `its credentials do not allow this (${name})`;
  if (status === 301 || status === 307)
    return `it is in another region than ${place.region}: name it by region= (${name})`;
  if (status !== undefined && status >= 300) return `it answered ${status} (${name})`;
  if (status !== undefined) return `its answer is not that of an S3 service (${name})`;
  return `it does not answer (${code ?? name})`;
}

const CAUSES: ReadonlyMap<string, string> = new Map([
  ['NoSuchBucket', 'there is no such bucket'],
  ['AccessDenied', 'its credentials do not allow this'],
  ['InvalidAccessKeyId', 'its access key is unknown'],
  ['SignatureDoesNotMatch', 'its secret key is wrong'],
  ['ExpiredToken', 'its credentials have expired'],
  ['RequestTimeTooSkewed', 'the clock of this machine is wrong'],
]);

/**
 * 503 `overloaded`: a call to the bucket failed. The cause, which is logged, is not the client's error, because that holds
 * the request with its signed headers.
 */
export class BucketAway extends Overloaded {
  /** The bucket and its fault, for the operator. */
  readonly why: string;

  constructor(error: unknown, place: S3Place) {
    const why = `${bucketName(place)} cannot be used: ${causeOf(error, place)}`;
    super('The file storage is not available. Try again later.', 10, new Error(why));
    this.why = why;
  }
}
