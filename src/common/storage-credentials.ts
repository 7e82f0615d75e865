/** The access key of a bucket. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The variables that credentials come from. */
type Variables = Readonly<
  Partial<
    Record<
      | 'AWS_ACCESS_KEY_ID'
      | 'AWS_SECRET_ACCESS_KEY'
      | 'AWS_SESSION_TOKEN'
      | (typeof CHAIN)[number]
      | 'AWS_EC2_METADATA_DISABLED',
      string | undefined
    >
  >
>;

/** Variables through which AWS's own chain finds credentials. */
const CHAIN = [
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
] as const;

/**
 * Returns the access key from its variables; undefined when AWS's own chain is to find one. Throws an `Error` that names
 * the missing variables. A source that is not configured, such as a metadata service, is never asked.
 */
export function s3CredentialsOf(env: Variables): S3Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  const { AWS_SESSION_TOKEN: sessionToken } = env;
  if (accessKeyId !== undefined && secretAccessKey !== undefined)
    return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  if (accessKeyId !== undefined || secretAccessKey !== undefined)
    throw new Error(`${BOTH}: must be given both, to open the bucket of STORAGE_URL`);
  if (CHAIN.some((name) => env[name] !== undefined) || env.AWS_EC2_METADATA_DISABLED === 'false')
    return undefined;
  throw new Error(`${BOTH}: must be given, to open the bucket of STORAGE_URL (or ${OTHERS})`);
}

const BOTH = 'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY';
const OTHERS = `one of ${CHAIN.join(', ')}, or AWS_EC2_METADATA_DISABLED=false`;
