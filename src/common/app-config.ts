import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse as parseEnvFile } from 'dotenv';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** A start that cannot work, with every fault named at once. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The service cannot start:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

const whole = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,12}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
    .default(fallback);

const amount = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
    .default(fallback);

const list = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )
  .default([]);

const flag = z
  .enum(['true', 'false', '1', '0', 'on', 'off', 'yes', 'no'], 'must be true or false')
  .transform((text) => ['true', '1', 'on', 'yes'].includes(text))
  .default(false);

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const isAddressRange = (text: string): boolean => ipaddr.isValid(text) || ipaddr.isValidCIDR(text);

const trustProxy = z
  .string()
  .transform((text): number | string[] =>
    /^\d{1,2}$/.test(text) ? Number(text) : text.split(',').map((item) => item.trim()),
  )
  .refine(
    (value) => typeof value === 'number' || value.every(isAddressRange),
    'must be a number of hops or a list of addresses and CIDR ranges',
  );

/** `host:port`; a host alone means its ports 80 and 443. */
const outboundTarget = z
  .string()
  .refine(isOutboundTarget, 'must be host:port, such as 10.0.0.5:8080 or files.internal:443');

function isOutboundTarget(text: string): boolean {
  const port = /^(?:\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}))?$/i.exec(text);
  return port !== null && Number(port[1] ?? 1) >= 1 && URL.canParse(`http://${text}`);
}

const mailRecipient = z
  .string()
  .regex(/^[^\s@]*@?[^\s@]+$/, 'must be a recipient (name@host) or a host (@host)');

const origin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'must be an origin such as https://app.example.com',
  );

const fetchHeaders = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('must be JSON: host → headers');
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), z.record(z.string(), z.string())))
  .default({});

const environment = z.object({
  PORT: whole(3000, 0, 65_535),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .refine(
      (text) => /^(sqlite:|postgres:\/\/|postgresql:\/\/)/.test(text),
      'must begin with sqlite: or postgres://',
    )
    .optional(),
  STORAGE_URL: z
    .string()
    .refine(
      (text) => !/^[a-z][a-z0-9+.-]*:/i.test(text) || text.startsWith('file:'),
      'must be a directory (a path or file: address)',
    )
    .optional(),
  REDIS_URL: z
    .string()
    .refine((text) => /^rediss?:\/\//.test(text), 'must begin with redis://')
    .optional(),
  ADMIN_API_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  PUBLIC_URL: webAddress.optional(),
  TRUST_PROXY: trustProxy.optional(),
  CORS_ORIGINS: list.pipe(z.array(origin)),
  OUTBOUND_ALLOW: list.pipe(z.array(outboundTarget)),
  SMTP_URL: z
    .string()
    .refine((text) => /^smtps?:\/\//.test(text), 'must begin with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z.string().optional(),
  MAIL_ALLOW: list.pipe(z.array(mailRecipient)),
  MAIL_MAX_MB: amount(14, 0.001, 100),
  INITIAL_CREDIT: whole(1000, 0, 1_000_000_000),
  STREAM_GRACE_SECONDS: amount(15, 0, 3600),
  SAMPLES: z.enum(['on', 'off'], 'must be on or off').default('on'),
  FLOWS_DIR: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DEFAULT_MODEL_PROVIDER: z
    .enum(['openai', 'openai-compatible', 'anthropic', 'google', 'mistral', 'groq', 'ollama'])
    .optional(),
  DEFAULT_MODEL_BASE_URL: webAddress.optional(),
  DEFAULT_MODEL_NAME: z.string().optional(),
  DEFAULT_MODEL_API_KEY: z.string().optional(),
  MAX_JSON_MB: amount(50, 0.001, 1024),
  MAX_MULTIPART_MB: amount(512, 0.001, 10_240),
  MAX_PHOTO_MB: amount(25, 0.001, 1024),
  MAX_PHOTOS: whole(50, 1, 1000),
  MAX_MEGAPIXELS: amount(50, 0.01, 1000),
  RENDERS_PER_MINUTE: whole(60, 1, 1_000_000),
  MAX_IN_FLIGHT: whole(4000, 1, 1_000_000),
  REPORT_LINK_HOURS: amount(168, 0.001, 87_600),
  EXECUTION_RETENTION_DAYS: amount(90, 0, 36_500),
  REFUSED_RETENTION_DAYS: amount(7, 0, 36_500),
  FETCH_HEADERS: fetchHeaders,
  FETCH_ALLOW_HTTP: flag,
});

type Environment = z.infer<typeof environment>;

/**
 * Everything that can be set from outside (contract section 10), read once at start and validated as a whole.
 * This is the only reader of `process.env`. Sizes are in bytes, durations in milliseconds.
 */
export class AppConfig {
  readonly port: number;
  readonly host: string;
  /** Absolute directory of everything that this service keeps on disk. */
  readonly dataDir: string;
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
  readonly maxMultipartBytes: number;
  readonly maxPhotoBytes: number;
  readonly maxPhotos: number;
  /** Pixels (not mega) of a decoded picture. */
  readonly maxPixels: number;
  readonly rendersPerMinute: number;
  readonly maxInFlight: number;
  readonly reportLinkMs: number;
  readonly executionRetentionMs: number;
  readonly refusedRetentionMs: number;
  readonly fetchHeaders: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly fetchAllowHttp: boolean;
  private readonly givenAdminKey: string | undefined;
  private foundAdminKey: string | undefined;

  private constructor(env: Environment) {
    const megabytes = (value: number) => Math.floor(value * 1024 * 1024);
    this.port = env.PORT;
    this.host = env.HOST;
    this.dataDir = resolve(env.DATA_DIR);
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
    this.maxMultipartBytes = megabytes(env.MAX_MULTIPART_MB);
    this.maxPhotoBytes = megabytes(env.MAX_PHOTO_MB);
    this.maxPhotos = env.MAX_PHOTOS;
    this.maxPixels = env.MAX_MEGAPIXELS * 1_000_000;
    this.rendersPerMinute = env.RENDERS_PER_MINUTE;
    this.maxInFlight = env.MAX_IN_FLIGHT;
    this.reportLinkMs = env.REPORT_LINK_HOURS * 3_600_000;
    this.executionRetentionMs = env.EXECUTION_RETENTION_DAYS * 86_400_000;
    this.refusedRetentionMs = env.REFUSED_RETENTION_DAYS * 86_400_000;
    this.fetchHeaders = env.FETCH_HEADERS;
    this.fetchAllowHttp = env.FETCH_ALLOW_HTTP;
    this.givenAdminKey = env.ADMIN_API_KEY;
  }

  /** Reads the given variables (an empty value counts as unset). Throws `ConfigError` with every fault. */
  static from(variables: Readonly<Record<string, string | undefined>>): AppConfig {
    const set = Object.fromEntries(
      Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
    );
    const parsed = environment.safeParse(set);
    if (!parsed.success) {
      throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
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

  /** True when the admin key was set by `ADMIN_API_KEY`, so that no file holds it. */
  get adminKeyIsGiven(): boolean {
    return this.givenAdminKey !== undefined;
  }

  /** Where the admin key stands when it was not given. */
  get adminKeyFile(): string {
    return join(this.dataDir, 'admin-key');
  }

  /** The admin key (contract section 4): given, else made at first start and kept with mode 0600; never logged. */
  get adminKey(): string {
    return (this.foundAdminKey ??=
      this.givenAdminKey ?? this.keptSecret('admin-key', `ak_${randomBytes(32).toString('base64url')}`));
  }

  /** A secret that the service makes once and keeps in `DATA_DIR` with mode 0600. Safe when two processes start at once. */
  keptSecret(name: string, fresh: string): string {
    const file = join(this.dataDir, name);
    mkdirSync(this.dataDir, { recursive: true });
    try {
      writeFileSync(file, `${fresh}\n`, { mode: 0o600, flag: 'wx' });
      return fresh;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return readFileSync(file, 'utf8').trim();
    }
  }
}
