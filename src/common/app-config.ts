import { parse as parseEnvFile } from 'dotenv';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Environment, environment } from './environment.js';
import { faultsOf } from './plain-faults.js';
import type { S3Address } from './storage-address.js';
import { type S3Credentials, s3CredentialsOf } from './storage-credentials.js';

/** The bucket of the blobs with its credentials; without credentials AWS's own chain looks for them. */
export interface S3Place extends S3Address {
  readonly region: string;
  readonly credentials: S3Credentials | undefined;
}

/** Most S3 servers other than Amazon's accept this region as well. */
const DEFAULT_REGION = 'us-east-1';

/** The configuration does not allow the service to start. Lists every fault. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The service cannot start:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Everything that can be set from outside (contract section 10), read once at start and validated as a whole.
 * This is the only reader of `process.env`. Sizes are in bytes, durations in milliseconds.
 */
export class AppConfig {
  readonly port: number;
  readonly host: string;
  /** Absolute directory of everything that this service stores on disk. */
  readonly dataDir: string;
  /** Absolute directory of the secrets that no variable gives. */
  readonly secretsDir: string;
  /** Secrets by the variable that gives them. */
  readonly givenSecrets: ReadonlyMap<string, string>;
  readonly databaseUrl: string;
  /** Absolute directory of the blobs. With a bucket, the directory of temporary files. */
  readonly storageDir: string;
  /** The bucket of the blobs, unless they are on disk. */
  readonly bucket: S3Place | undefined;
  /** The address at which other processes reach this one, without a trailing slash. */
  readonly internalUrl: string | undefined;
  /** The Redis that holds streams, so that they outlive their process. */
  readonly redisUrl: string | undefined;
  readonly publicUrl: string | undefined;
  readonly trustProxy: number | string[] | undefined;
  readonly corsOrigins: readonly string[];
  /** `host:port` pairs of private targets that `http` nodes and `url` photographs may reach. */
  readonly outboundAllow: readonly string[];
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Recipients (`name@host`, or a host: `@host`, `host` or `*@host`) to whom any caller may have reports mailed. */
  readonly mailAllow: readonly string[];
  readonly maxMailBytes: number;
  readonly initialCredit: number;
  readonly streamGraceMs: number;
  readonly samples: boolean;
  readonly flowsDir: string | undefined;
  readonly logLevel: string;
  readonly defaultModel: {
    provider: Environment['DEFAULT_MODEL_PROVIDER'];
    baseUrl: string | undefined;
    name: string | undefined;
    apiKey: string | undefined;
  };
  readonly maxJsonBytes: number;
  /** Members and elements of one JSON body; on admin routes ten times as many. */
  readonly maxJsonValues: number;
  readonly maxMultipartBytes: number;
  readonly maxPhotoBytes: number;
  readonly maxPhotos: number;
  readonly maxSessionTextMb: number;
  readonly maxSessionFacts: number;
  readonly maxSessionRemarks: number;
  readonly maxSessionAreas: number;
  readonly maxSessionPhotographs: number;
  /** Pixels (not mega) of a decoded picture. */
  readonly maxPixels: number;
  /** Megabytes for all pictures that are decoded at once, with their processes. */
  readonly pictureMemoryMb: number;
  readonly rendersPerMinute: number;
  readonly maxInFlight: number;
  /** Unfinished runs whose callers do not wait. */
  readonly maxAsyncRuns: number;
  /** Calls that may wait for the lock of one chat in this process. */
  readonly maxWaitingPerChat: number;
  /** Transactions of this process that may write at once on PostgreSQL. */
  readonly writeLanes: number;
  /** Time for which a run waits for a human. */
  readonly approvalExpiresMs: number;
  readonly reportLinkMs: number;
  readonly executionRetentionMs: number;
  readonly refusedRetentionMs: number;
  readonly fetchHeaders: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly fetchAllowHttp: boolean;
  /** Absolute path of the PKCS #12 file that signs reports, and its password; undefined where reports are not signed. */
  readonly signing: { readonly file: string; readonly password: string } | undefined;
  /** The RFC 3161 server that stamps signatures with the time. */
  readonly timeStampUrl: string | undefined;
  /** Decrypts the credentials of a Flowise that is migrated; Flowise reads the same variable. */
  readonly flowiseSecretKey: string | undefined;

  private constructor(env: Environment) {
    const megabytes = (value: number) => Math.floor(value * 1024 * 1024);
    this.port = env.PORT;
    this.host = env.HOST;
    this.dataDir = resolve(env.DATA_DIR);
    this.secretsDir = resolve(env.SECRETS_DIR ?? this.dataDir);
    this.givenSecrets = givenSecrets(env);
    this.databaseUrl = env.DATABASE_URL ?? `sqlite:${join(this.dataDir, 'service.sqlite')}`;
    const { STORAGE_URL: storage } = env;
    this.storageDir = typeof storage === 'string' ? resolve(storage) : join(this.dataDir, 'blobs');
    this.bucket = typeof storage === 'object' ? placeOf(storage, env) : undefined;
    this.internalUrl = env.INTERNAL_URL?.replace(/\/+$/, '');
    this.redisUrl = env.REDIS_URL;
    this.publicUrl = env.PUBLIC_URL?.endsWith('/') ? env.PUBLIC_URL.slice(0, -1) : env.PUBLIC_URL;
    this.trustProxy = env.TRUST_PROXY;
    this.corsOrigins = env.CORS_ORIGINS;
    this.outboundAllow = env.OUTBOUND_ALLOW;
    this.smtpUrl = env.SMTP_URL;
    this.mailFrom = env.MAIL_FROM ?? 'Inspection reports <reports@localhost>';
    this.mailAllow = env.MAIL_ALLOW;
    this.maxMailBytes = megabytes(env.MAIL_MAX_MB);
    this.initialCredit = env.INITIAL_CREDIT;
    this.streamGraceMs = env.STREAM_GRACE_SECONDS * 1000;
    this.samples = env.SAMPLES === 'on';
    this.flowsDir = env.FLOWS_DIR ? resolve(env.FLOWS_DIR) : undefined;
    this.logLevel = env.LOG_LEVEL;
    this.defaultModel = {
      provider: env.DEFAULT_MODEL_PROVIDER,
      baseUrl: env.DEFAULT_MODEL_BASE_URL,
      name: env.DEFAULT_MODEL_NAME,
      apiKey: env.DEFAULT_MODEL_API_KEY,
    };
    this.maxJsonBytes = megabytes(env.MAX_JSON_MB);
    this.maxJsonValues = env.MAX_JSON_VALUES;
    this.maxMultipartBytes = megabytes(env.MAX_MULTIPART_MB);
    this.maxPhotoBytes = megabytes(env.MAX_PHOTO_MB);
    this.maxPhotos = env.MAX_PHOTOS;
    this.maxSessionTextMb = env.MAX_SESSION_TEXT_MB;
    this.maxSessionFacts = env.MAX_SESSION_FACTS;
    this.maxSessionRemarks = env.MAX_SESSION_REMARKS;
    this.maxSessionAreas = env.MAX_SESSION_AREAS;
    this.maxSessionPhotographs = env.MAX_SESSION_PHOTOGRAPHS;
    this.maxPixels = env.MAX_MEGAPIXELS * 1_000_000;
    this.pictureMemoryMb = env.PICTURE_MEMORY_MB;
    this.rendersPerMinute = env.RENDERS_PER_MINUTE;
    this.maxInFlight = env.MAX_IN_FLIGHT;
    this.maxAsyncRuns = env.MAX_ASYNC_RUNS;
    this.maxWaitingPerChat = env.MAX_WAITING_PER_CHAT;
    this.writeLanes = env.WRITE_LANES;
    this.approvalExpiresMs = Math.ceil(env.APPROVAL_EXPIRES_HOURS * 3_600_000);
    this.reportLinkMs = env.REPORT_LINK_HOURS * 3_600_000;
    this.executionRetentionMs = env.EXECUTION_RETENTION_DAYS * 86_400_000;
    this.refusedRetentionMs = env.REFUSED_RETENTION_DAYS * 86_400_000;
    this.fetchHeaders = env.FETCH_HEADERS;
    this.fetchAllowHttp = env.FETCH_ALLOW_HTTP;
    this.signing = env.SIGNING_P12
      ? { file: resolve(env.SIGNING_P12), password: env.SIGNING_P12_PASSWORD ?? '' }
      : undefined;
    this.timeStampUrl = env.TSA_URL;
    this.flowiseSecretKey = env.FLOWISE_SECRETKEY_OVERWRITE;
  }

  /** True if the connections are those of a proxy; `TRUST_PROXY=0` states that there is none. */
  get isBehindProxy(): boolean {
    return this.trustProxy !== undefined && this.trustProxy !== 0;
  }

  /**
   * Reads the given variables; an empty value counts as unset. Throws `ConfigError` with every fault. `inFile` tells which
   * variables come from `.env`, for the messages.
   */
  static from(
    variables: Readonly<Record<string, string | undefined>>,
    inFile: (name: string) => boolean = () => false,
  ): AppConfig {
    const set = Object.fromEntries(
      Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
    );
    const parsed = environment.safeParse(set);
    if (!parsed.success) {
      throw new ConfigError(
        faultsOf(parsed.error).map(
          ({ path, message }) => `${path}${inFile(path.split('.')[0]!) ? ' (in .env)' : ''}: ${message}`,
        ),
      );
    }
    return new AppConfig(parsed.data);
  }

  /** Reads the process's environment, with `.env` of the working directory underneath it. */
  static fromProcess(): AppConfig {
    // AWS's own chain of credentials reads the environment by itself, and asks a metadata service unless this is set.
    process.env['AWS_EC2_METADATA_DISABLED'] ??= 'true';
    // The SDK warns that later versions need a later Node. That concerns developers, not operators.
    process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
    const file = readEnvFile();
    const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
    return AppConfig.from({ ...file, ...given }, (name) => name in file && !(name in given));
  }
}

/** Returns the variables of `.env` in the working directory; none when there is no such file. */
function readEnvFile(): Record<string, string> {
  try {
    return parseEnvFile(readFileSync('.env'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new ConfigError([
      `.env: the file cannot be read (${code}). Give the user who runs the service the right to read it, or remove it.`,
    ]);
  }
}

function placeOf(address: S3Address, env: Environment): S3Place {
  try {
    const region = address.region ?? env.AWS_REGION ?? DEFAULT_REGION;
    return { ...address, region, credentials: s3CredentialsOf(env) };
  } catch (error) {
    throw new ConfigError([(error as Error).message]);
  }
}

const SECRETS = ['ADMIN_API_KEY', 'LINK_SECRET', 'SEAL_KEY', 'CREDENTIALS_KEY'] as const;

const givenSecrets = (env: Environment): Map<string, string> =>
  new Map(
    SECRETS.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
