import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse as parseEnvFile } from 'dotenv';
import { type Environment, environment } from './environment.js';
import { faultsOf } from './plain-faults.js';

/** A start that cannot work, with every fault named at once. */
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
  /** Absolute directory of everything that this service keeps on disk. */
  readonly dataDir: string;
  /** Absolute directory of the secrets that no variable gives. */
  readonly secretsDir: string;
  /** Secrets by the variable that gives them. */
  readonly givenSecrets: ReadonlyMap<string, string>;
  readonly databaseUrl: string;
  /** Absolute directory of the blobs. */
  readonly storageDir: string;
  readonly publicUrl: string | undefined;
  readonly trustProxy: number | string[] | undefined;
  readonly corsOrigins: readonly string[];
  /** `host:port` pairs of private targets that `http` nodes and `url` photographs may reach. */
  readonly outboundAllow: readonly string[];
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Recipients (`name@host`, or a host: `@host`, `host` or `*@host`) that anybody may have reports mailed to. */
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
  /** Pixels (not mega) of a decoded picture. */
  readonly maxPixels: number;
  /** Megabytes that all pictures decoded at once may take, with their processes. */
  readonly pictureMemoryMb: number;
  readonly rendersPerMinute: number;
  readonly maxInFlight: number;
  /** Unfinished runs whose callers do not wait. */
  readonly maxAsyncRuns: number;
  /** How long a run waits for a human. */
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
  /** Opens the credentials of a Flowise whose house is moved; Flowise reads the same variable. */
  readonly flowiseSecretKey: string | undefined;

  private constructor(env: Environment) {
    const megabytes = (value: number) => Math.floor(value * 1024 * 1024);
    this.port = env.PORT;
    this.host = env.HOST;
    this.dataDir = resolve(env.DATA_DIR);
    this.secretsDir = resolve(env.SECRETS_DIR ?? this.dataDir);
    this.givenSecrets = givenSecrets(env);
    this.databaseUrl = env.DATABASE_URL ?? `sqlite:${join(this.dataDir, 'service.sqlite')}`;
    this.storageDir = env.STORAGE_URL
      ? resolve(env.STORAGE_URL.replace(/^file:(\/\/)?/, ''))
      : join(this.dataDir, 'blobs');
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
    this.maxPixels = env.MAX_MEGAPIXELS * 1_000_000;
    this.pictureMemoryMb = env.PICTURE_MEMORY_MB;
    this.rendersPerMinute = env.RENDERS_PER_MINUTE;
    this.maxInFlight = env.MAX_IN_FLIGHT;
    this.maxAsyncRuns = env.MAX_ASYNC_RUNS;
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

  /** Reads the given variables (an empty value counts as unset). Throws `ConfigError` with every fault. */
  static from(variables: Readonly<Record<string, string | undefined>>): AppConfig {
    const set = Object.fromEntries(
      Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
    );
    const parsed = environment.safeParse(set);
    if (!parsed.success) {
      throw new ConfigError(faultsOf(parsed.error).map(({ path, message }) => `${path}: ${message}`));
    }
    return new AppConfig(parsed.data);
  }

  /** Reads the process's environment, with `.env` of the working directory underneath it. */
  static fromProcess(): AppConfig {
    let file: Record<string, string> = {};
    try {
      file = parseEnvFile(readFileSync('.env'));
    } catch {
      // No .env file: the environment alone decides.
    }
    const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
    return AppConfig.from({ ...file, ...given });
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
