/** The bucket of `STORAGE_URL` and the place of the blobs in it (contract section 13). */
export interface S3Address {
  readonly bucket: string;
  /** The prefix of every key: empty, or with a trailing slash. */
  readonly prefix: string;
  /** Undefined for Amazon's own. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Characters that every S3 server accepts in a key without escaping. */
const PREFIX = /^[\w!.*'()-]+(\/[\w!.*'()-]+)*$/;
const REGION = /^[a-z0-9-]{1,40}$/i;
const MEMBERS: ReadonlySet<string> = new Set(['endpoint', 'region']);

export const isS3Address = (text: string): boolean => /^s3:/i.test(text);

/**
 * Reads `s3://bucket/prefix?endpoint=…&region=…`. Throws an `Error` whose message follows the name of the variable. The
 * message never repeats the value, which may hold a secret.
 */
export function readS3Address(text: string): S3Address {
  if (!URL.canParse(text)) throw new Error(FORM);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') throw new Error(NO_CREDENTIALS);
  if (!BUCKET.test(url.host)) throw new Error(`${FORM}, with the bucket's name in small letters`);
  if (url.hash !== '') throw new Error(FORM);
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  if (prefix !== '' && !PREFIX.test(prefix))
    throw new Error("must have a prefix of letters, digits and !_.*'()- between slashes");
  for (const name of url.searchParams.keys())
    if (!MEMBERS.has(name)) throw new Error('accepts only the parameters endpoint and region');
  const region = url.searchParams.get('region') ?? undefined;
  if (region !== undefined && !REGION.test(region))
    throw new Error('must name a region such as eu-central-1');
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined) checkEndpoint(endpoint);
  return { bucket: url.host, prefix: prefix === '' ? '' : `${prefix}/`, endpoint, region };
}

function checkEndpoint(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new Error('must have an http or https address as its endpoint');
  if (url.username !== '' || url.password !== '') throw new Error(NO_CREDENTIALS);
}

const FORM =
  'must be a directory, or a bucket such as s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1';
const NO_CREDENTIALS = 'must not hold credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
