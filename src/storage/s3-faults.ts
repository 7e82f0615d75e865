import type { S3Place } from '../common/app-config.js';
import { Overloaded } from '../common/service-error.js';

/** An error of the S3 client, as far as it is looked at: it may be one of the network, too. */
interface S3Error {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Whether the answer was that there is no such object. The answer to a HEAD has a status alone. */
export function isNoObject(error: unknown): boolean {
  const { name, $metadata } = error as S3Error;
  return (
    name === 'NoSuchKey' ||
    name === 'NotFound' ||
    ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket')
  );
}

/** The bucket and its address, for messages. */
const bucketName = ({ bucket, endpoint, region }: S3Place): string =>
  `the bucket "${bucket}" at ${endpoint === undefined ? `Amazon S3 (${region})` : new URL(endpoint).host}`;

/** Why the bucket cannot be used, as the end of a sentence: in our own words, the error's message may name an access key. */
function causeOf(error: unknown, place: S3Place): string {
  const { name = 'Error', code, $metadata } = error as S3Error;
  const status = $metadata?.httpStatusCode;
  const said = CAUSES.get(name);
  if (said !== undefined) return `${said} (${name})`;
  if (name === 'CredentialsProviderError')
    return 'no credentials were found for it (CredentialsProviderError)';
  if (status === 403) return `its credentials may not do this (${name})`;
  if (status === 301 || status === 307)
    return `it is in another region than ${place.region}: name it by region= (${name})`;
  if (status !== undefined && status >= 300) return `it answered ${status} (${name})`;
  if (status !== undefined) return `its answer is not one of S3 (${name})`;
  return `it does not answer (${code ?? name})`;
}

const CAUSES: ReadonlyMap<string, string> = new Map([
  ['NoSuchBucket', 'there is no such bucket'],
  ['AccessDenied', 'its credentials may not do this'],
  ['InvalidAccessKeyId', 'its access key is not known there'],
  ['SignatureDoesNotMatch', 'its secret key is wrong'],
  ['ExpiredToken', 'its credentials have expired'],
  ['RequestTimeTooSkewed', 'the clock of this machine is wrong'],
]);

/**
 * 503 `overloaded`: the bucket did not do what was asked. The cause, for the log, is in our words too: an error of the client
 * holds the request with its signed headers.
 */
export class BucketAway extends Overloaded {
  /** The bucket and what is wrong with it, for the operator. */
  readonly why: string;

  constructor(error: unknown, place: S3Place) {
    const why = `${bucketName(place)} cannot be used: ${causeOf(error, place)}`;
    super('The store of the files does not answer as it should now. Try again later.', 10, new Error(why));
    this.why = why;
  }
}
