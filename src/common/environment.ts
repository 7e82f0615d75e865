import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import {
  adminKey,
  credentialsKey,
  linkSecret,
  sealKey,
  type SecretKind,
  secretText,
} from './secrets/secret-kind.js';
import { isS3Address, readS3Address, type S3Address } from './storage-address.js';

/** A fault of a number always says which numbers are allowed, whatever is wrong with it. */
const numberOf = (form: RegExp, what: string) => (fallback: number, min: number, max: number) => {
  const fault = `must be ${what} from ${min} to ${max}`;
  return z
    .string()
    .regex(form, fault)
    .transform(Number)
    .pipe(z.number().min(min, fault).max(max, fault))
    .default(fallback);
};

const whole = numberOf(/^-?\d{1,12}$/, 'a whole number');
const amount = numberOf(/^-?\d{1,9}(\.\d{1,6})?$/, 'a number');

const oneOf = <const Name extends string>(names: readonly Name[]) =>
  z.enum(names, `must be one of ${names.join(', ')}`);

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

function isRedisAddress(text: string): boolean {
  if (!/^rediss?:\/\/[^/]/.test(text) || !URL.canParse(text)) return false;
  return /^(\/\d{0,5})?$/.test(new URL(text).pathname);
}

/** The path of a directory, or a bucket. */
const storagePlace = z.string().transform((text, context): string | S3Address => {
  if (isS3Address(text)) {
    try {
      return readS3Address(text);
    } catch (error) {
      context.addIssue((error as Error).message);
      return z.NEVER;
    }
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) && !text.startsWith('file:'))
    context.addIssue('must be a directory (a path or file: address) or a bucket (s3://bucket/prefix)');
  return text.replace(/^file:(\/\/)?/, '');
});

const FETCH_HEADERS =
  'must be JSON, host → headers, such as {"media.example.com":{"Authorization":"Bearer the-token"}}';

const fetchHeaders = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue(FETCH_HEADERS);
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), z.record(z.string(), z.string(FETCH_HEADERS), FETCH_HEADERS), FETCH_HEADERS))
  .default({});

/** The same rules as for the file that is made where no variable gives it. */
const secret = (kind: SecretKind) =>
  z
    .string()
    .transform(secretText)
    .superRefine((text, context) => {
      const fault = kind.faultOf(text);
      if (fault !== undefined) context.addIssue(fault);
    })
    .optional();

/** Every variable (contract section 10) with its default, and what is wrong with a wrong value. */
export const environment = z.object({
  PORT: whole(3000, 0, 65_535),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .refine(
      (text) => /^(sqlite:|postgres:\/\/|postgresql:\/\/)/.test(text),
      'must begin with sqlite: or postgres://',
    )
    .refine(
      (text) => text.startsWith('sqlite:') || URL.canParse(text),
      'must be an address such as postgres://user:password@host:5432/database',
    )
    .optional(),
  STORAGE_URL: storagePlace.optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_REGION: z.string().optional(),
  AWS_PROFILE: z.string().optional(),
  AWS_WEB_IDENTITY_TOKEN_FILE: z.string().optional(),
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: z.string().optional(),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: z.string().optional(),
  AWS_EC2_METADATA_DISABLED: z.string().optional(),
  REDIS_URL: z
    .string()
    .refine(
      isRedisAddress,
      'must be an address such as redis://user:password@host:6379/0, or rediss:// for TLS',
    )
    .optional(),
  SECRETS_DIR: z.string().optional(),
  ADMIN_API_KEY: secret(adminKey),
  LINK_SECRET: secret(linkSecret),
  SEAL_KEY: secret(sealKey),
  CREDENTIALS_KEY: secret(credentialsKey),
  INTERNAL_URL: webAddress.optional(),
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
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DEFAULT_MODEL_PROVIDER: oneOf([
    'openai',
    'openai-compatible',
    'anthropic',
    'google',
    'mistral',
    'groq',
    'ollama',
  ]).optional(),
  DEFAULT_MODEL_BASE_URL: webAddress.optional(),
  DEFAULT_MODEL_NAME: z.string().optional(),
  DEFAULT_MODEL_API_KEY: z.string().optional(),
  MAX_JSON_MB: amount(50, 0.001, 1024),
  MAX_JSON_VALUES: whole(50_000, 1, 10_000_000),
  MAX_MULTIPART_MB: amount(512, 0.001, 10_240),
  MAX_PHOTO_MB: amount(25, 0.001, 1024),
  MAX_PHOTOS: whole(50, 1, 1000),
  MAX_SESSION_TEXT_MB: amount(2, 0.001, 1000),
  MAX_SESSION_FACTS: whole(10_000, 1, 1_000_000),
  MAX_SESSION_REMARKS: whole(2000, 1, 1_000_000),
  MAX_SESSION_AREAS: whole(200, 1, 1_000_000),
  MAX_SESSION_PHOTOGRAPHS: whole(5000, 1, 1_000_000),
  MAX_MEGAPIXELS: amount(50, 0.01, 1000),
  PICTURE_MEMORY_MB: whole(512, 256, 1_000_000),
  RENDERS_PER_MINUTE: whole(60, 1, 1_000_000),
  MAX_IN_FLIGHT: whole(4000, 1, 1_000_000),
  MAX_ASYNC_RUNS: whole(500, 1, 100_000),
  MAX_WAITING_PER_CHAT: whole(100, 1, 100_000),
  WRITE_LANES: whole(8, 1, 64),
  REPORT_LINK_HOURS: amount(168, 0.001, 87_600),
  EXECUTION_RETENTION_DAYS: amount(90, 0, 36_500),
  APPROVAL_EXPIRES_HOURS: amount(168, 0.0001, 87_600),
  REFUSED_RETENTION_DAYS: amount(7, 0, 36_500),
  FETCH_HEADERS: fetchHeaders,
  FETCH_ALLOW_HTTP: flag,
  SIGNING_P12: z.string().optional(),
  SIGNING_P12_PASSWORD: z.string().optional(),
  TSA_URL: webAddress.optional(),
  FLOWISE_SECRETKEY_OVERWRITE: z.string().optional(),
});

export type Environment = z.infer<typeof environment>;

/** The values of variables that are not set. */
export const defaults: Environment = environment.parse({});
