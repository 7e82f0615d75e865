import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { MODEL_PROVIDER_IDS } from '../api/model-provider-terms.js';
import {
  adminKey,
  credentialsKey,
  linkSecret,
  sealKey,
  type SecretKind,
  secretText,
} from './secrets/secret-kind.js';
import { isS3Address, readS3Address, type S3Address } from './storage-address.js';

/** A schema of numbers whose fault always names the allowed range. */
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

/** `name@host`, also in angle brackets after a name. A name with a comma is quoted, or it would be two senders. */
const MAIL_SENDER = /^(?:(?:"[^"\r\n]*" *|[^<>",;\r\n]*)<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/;

/** The mail library reads the address as a URL: a `#` in the password would end it. */
const isMailServer = (text: string): boolean =>
  /^smtps?:\/\//.test(text) && URL.canParse(text) && new URL(text).hostname !== '';

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

/** Checks a secret by the rules of its file. */
const secret = (kind: SecretKind) =>
  z
    .string()
    .transform(secretText)
    .superRefine((text, context) => {
      const fault = kind.faultOf(text);
      if (fault !== undefined) context.addIssue(fault);
    })
    .optional();

/**
 * Every variable (contract section 10): its default, the fault of a wrong value, and its line in docs/operations/configure.md.
 * `unset` says in words what holds where a variable without a default is not set.
 */
export const environment = z.object({
  PORT: whole(3000, 0, 65_535).describe('The port where it listens.'),
  HOST: z.string().default('127.0.0.1').describe('The address where it listens.'),
  DATA_DIR: z
    .string()
    .default('./data')
    .describe('Directory of everything that it stores, unless a variable below says otherwise.'),
  DATABASE_URL: z
    .string()
    .refine(
      (text) => /^(sqlite:|postgres:\/\/|postgresql:\/\/)/.test(text),
      'must begin with sqlite: or postgres://',
    )
    .refine((text) => !/^sqlite:(\/\/)?(:memory:)?$/.test(text), 'must name a file: sqlite:<path>')
    .refine(
      (text) => text.startsWith('sqlite:') || URL.canParse(text),
      'must be an address such as postgres://user:password@host:5432/database',
    )
    .optional()
    .meta({
      description: '`sqlite:<path>` or `postgres://…`, for production and for several processes.',
      unset: 'SQLite file in `DATA_DIR`',
    }),
  STORAGE_URL: storagePlace.optional().meta({
    description:
      'Directory of photographs, reports and attached files, or a bucket: `s3://bucket/prefix?endpoint=…&region=…` ([how](storage.md#a-bucket)).',
    unset: '`DATA_DIR/blobs`',
  }),
  AWS_ACCESS_KEY_ID: z.string().optional().describe('Id of the key of the bucket.'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('Secret part of the key of the bucket.'),
  AWS_SESSION_TOKEN: z
    .string()
    .optional()
    .describe('Session token, where the key of the bucket is temporary.'),
  AWS_REGION: z.string().optional().describe('Region of the bucket, where `STORAGE_URL` names none.'),
  AWS_PROFILE: z
    .string()
    .optional()
    .describe(
      "Lets AWS's own chain find the key of the bucket, where none is given. So does each of the next three.",
    ),
  AWS_WEB_IDENTITY_TOKEN_FILE: z.string().optional().describe('File with the token of a web identity.'),
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: z
    .string()
    .optional()
    .describe('Path of the credentials of a container.'),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: z
    .string()
    .optional()
    .describe('Address of the credentials of a container.'),
  AWS_EC2_METADATA_DISABLED: z.string().optional().meta({
    description: "With `false` the machine's metadata service is asked for the key.",
    unset: 'true',
  }),
  REDIS_URL: z
    .string()
    .refine(
      isRedisAddress,
      'must be an address such as redis://user:password@host:6379/0, or rediss:// for TLS',
    )
    .optional()
    .describe(
      '`redis://…` or `rediss://…`: streams outlive the process that runs them ([how](scale.md#streams-in-redis)).',
    ),
  SECRETS_DIR: z
    .string()
    .optional()
    .meta({ description: 'Directory of the secrets that no variable gives.', unset: '`DATA_DIR`' }),
  ADMIN_API_KEY: secret(adminKey).meta({
    description: 'The admin key: at least 16 characters. Without it `SECRETS_DIR/admin-key` holds it.',
    unset: 'made at first start',
  }),
  LINK_SECRET: secret(linkSecret).meta({
    description: 'Signs the addresses of reports. Written as its file holds it, like the next two.',
    unset: 'made at first start',
  }),
  SEAL_KEY: secret(sealKey).meta({ description: 'Seals reports.', unset: 'made at first start' }),
  CREDENTIALS_KEY: secret(credentialsKey).meta({
    description: 'Encrypts the credentials of flows.',
    unset: 'made at first start',
  }),
  INTERNAL_URL: webAddress.optional().meta({
    description: 'Where the other processes on the same database reach this one, for streams of its runs.',
    unset: 'its own, on loopback',
  }),
  PUBLIC_URL: webAddress.optional().meta({
    description:
      "The service's own address: links begin with it, and its pages pass every list of domains. Links in mails need it.",
    unset: 'from the request',
  }),
  TRUST_PROXY: trustProxy
    .optional()
    .describe('Number of hops, or addresses and CIDR ranges of proxies whose `X-Forwarded-*` is believed.'),
  CORS_ORIGINS: list
    .pipe(z.array(origin))
    .describe('Origins of other pages that may read admin and report routes.'),
  OUTBOUND_ALLOW: list
    .pipe(z.array(outboundTarget))
    .describe(
      'Private targets that HTTP nodes and photograph addresses may reach: list of `host:port`; a host alone means its ports 80 and 443.',
    ),
  SMTP_URL: z
    .string()
    .refine(
      isMailServer,
      'must be an address such as smtp://name:password@mail.example.com:587, with %23, %2F or %3F for #, / or ? in the password',
    )
    .optional()
    .describe('Mail server for reports: `smtp://…` or `smtps://…`.'),
  MAIL_FROM: z
    .string()
    .trim()
    .regex(MAIL_SENDER, 'must be an address such as reports@example.com or Reports <reports@example.com>')
    .optional()
    .meta({ description: 'Sender of mails.', unset: '`Inspection reports <reports@localhost>`' }),
  MAIL_ALLOW: list
    .pipe(z.array(mailRecipient))
    .describe('Recipients (`name@host`, `@host`) to whom anybody may have reports mailed.'),
  MAIL_MAX_MB: amount(14, 0.001, 100).describe(
    'Size up to which a report is attached to a mail. A larger one is attached with smaller pictures, else mailed as a link.',
  ),
  INITIAL_CREDIT: whole(1000, 0, 1_000_000_000).describe(
    'Credit of the account `default`, at first start only.',
  ),
  STREAM_GRACE_SECONDS: amount(15, 0, 3600).describe('How long a run continues after its caller has left.'),
  SAMPLES: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .describe('Whether the flows of `samples/` are loaded at start.'),
  FLOWS_DIR: z.string().optional().describe('Directory whose flows are loaded at start.'),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe(
      '`fatal` to `trace`, or `silent`: JSON lines on standard output, plain lines on a terminal, secrets masked.',
    ),
  DEFAULT_MODEL_PROVIDER: oneOf(MODEL_PROVIDER_IDS)
    .optional()
    .describe('Provider of the model of nodes that name none.'),
  DEFAULT_MODEL_BASE_URL: webAddress.optional().describe('Address of that model.'),
  DEFAULT_MODEL_NAME: z.string().optional().describe('Name of that model.'),
  DEFAULT_MODEL_API_KEY: z.string().optional().describe('Key of that model.'),
  // JSON is parsed as one string, which cannot be longer in V8.
  MAX_JSON_MB: amount(50, 0.001, 511).describe('Largest JSON body; at most 511.'),
  MAX_JSON_VALUES: whole(50_000, 1, 10_000_000).describe(
    'Members and elements of one JSON body, at any depth; ten times as many with the admin key.',
  ),
  MAX_MULTIPART_MB: amount(512, 0.001, 10_240).describe('Largest multipart body.'),
  MAX_PHOTO_MB: amount(25, 0.001, 1024).describe('Largest photograph.'),
  MAX_PHOTOS: whole(50, 1, 1000).describe('Photographs of one batch.'),
  MAX_SESSION_TEXT_MB: amount(2, 0.001, 1000).describe(
    'Remarks, captions, observations and details of a session that no report has claimed. Beyond this or one of the next three a capture is 409 `session_full`.',
  ),
  MAX_SESSION_FACTS: whole(10_000, 1, 1_000_000).describe(
    'Observations, readings, keys and alarms of a session that no report has claimed.',
  ),
  MAX_SESSION_REMARKS: whole(2000, 1, 1_000_000).describe('Remarks of a session that no report has claimed.'),
  MAX_SESSION_AREAS: whole(200, 1, 1_000_000).describe('Areas of a session that no report has claimed.'),
  MAX_SESSION_PHOTOGRAPHS: whole(5000, 1, 1_000_000).describe(
    'Photographs of a session that no report has claimed; more are rejected one by one.',
  ),
  MAX_MEGAPIXELS: amount(50, 0.01, 1000).describe(
    'Millions of pixels of one photograph; five times as many of a baseline JPEG or a tiled HEIC, which shrink as they are decoded.',
  ),
  PICTURE_MEMORY_MB: whole(512, 256, 1_000_000).describe(
    'Memory for all pictures that are decoded at once, with their processes; at least 256. A picture that needs more than this prints a placeholder.',
  ),
  RENDERS_PER_MINUTE: whole(60, 1, 1_000_000).describe('Renders of one address.'),
  MAX_IN_FLIGHT: whole(4000, 1, 1_000_000).describe(
    'Calls in flight in one process, half of them from one address; beside them 200 with the admin key.',
  ),
  MAX_ASYNC_RUNS: whole(500, 1, 100_000).describe(
    'Unfinished runs whose callers do not wait, on all processes; half of them for a flow, a quarter for a caller.',
  ),
  MAX_WAITING_PER_CHAT: whole(100, 1, 100_000).describe(
    'Calls that wait for one chat, in one process; the next is 409 `session_busy` at once.',
  ),
  WRITE_LANES: whole(8, 1, 64).describe(
    'Transactions that one process may write at once on PostgreSQL, a connection each ([how many](scale.md#how-many-to-plan-for)).',
  ),
  REPORT_LINK_HOURS: amount(168, 0.001, 87_600).describe(
    'How long the address of a report in an answer works.',
  ),
  EXECUTION_RETENTION_DAYS: amount(90, 0, 36_500).describe(
    'How long records of calls are stored, also of runs that wait for a human. With 0 the hourly sweep deletes each that has ended or waits.',
  ),
  APPROVAL_EXPIRES_HOURS: amount(168, 0.0001, 87_600).describe(
    'How long a run waits for a human; no longer than its record is stored.',
  ),
  REFUSED_RETENTION_DAYS: amount(7, 0, 36_500).describe('How long records of refused calls are stored.'),
  FETCH_HEADERS: fetchHeaders.describe('Headers for fetched photographs: JSON, host → headers.'),
  FETCH_ALLOW_HTTP: flag.describe('Whether photographs may be fetched over plain http.'),
  SIGNING_P12: z
    .string()
    .optional()
    .describe(
      'PKCS #12 file whose key signs each report (PAdES, [how](../reports.md#signing-with-a-certificate)).',
    ),
  SIGNING_P12_PASSWORD: z.string().optional().describe('Password of that file.'),
  TSA_URL: webAddress
    .optional()
    .describe('RFC 3161 server that time-stamps these signatures. It needs no entry in `OUTBOUND_ALLOW`.'),
  FLOWISE_SECRETKEY_OVERWRITE: z
    .string()
    .optional()
    .describe(
      'Read by `npm run import:flowise` alone: decrypts the credentials of the Flowise that moves ([how](../moving.md)).',
    ),
});

export type Environment = z.infer<typeof environment>;

/** The values of variables that are not set. */
export const defaults: Environment = environment.parse({});
