import { z } from 'zod';
import { secretParts } from '../../common/masking/secret-parts.js';

/** A text that is sent unchanged in a header: visible ASCII without blanks at its ends. */
const headerText = z
  .string()
  .min(1, 'must not be empty')
  .max(16_384, 'must be at most 16384 characters')
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be visible ASCII characters');

const anyText = z.string().min(1, 'must not be empty').max(4_096, 'must be at most 4096 characters');

/** Headers that the connection sets. */
const RESERVED = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect']);

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'must be the name of a header')
  .refine((name) => !RESERVED.has(name.toLowerCase()), 'is a header that the connection sets by itself');

const name = z.string().trim().min(1, 'must not be empty').max(200, 'must be at most 200 characters');

const apiKey = z.object({ kind: z.literal('api-key'), data: z.strictObject({ apiKey: headerText }) });

const basic = z.object({
  kind: z.literal('basic'),
  data: z.strictObject({
    username: anyText.refine((text) => !text.includes(':'), 'must not contain a colon'),
    password: anyText,
  }),
});

const header = z.object({
  kind: z.literal('header'),
  data: z.strictObject({ name: headerName, value: headerText }),
});

/** 24 to 64 random bytes, as Standard Webhooks writes them. */
const webhook = z.object({
  kind: z.literal('webhook'),
  data: z.strictObject({
    secret: z
      .string()
      .regex(/^whsec_(?:[A-Za-z0-9+/]{32,86})={0,2}$/, 'must be whsec_ and the base64 of 24 to 64 bytes'),
  }),
});

/**
 * A secret by its kind: `api-key` for model providers and bearer tokens, `basic` and `header` for HTTP nodes, `webhook` for
 * the signatures of callbacks.
 */
export type Secret =
  | z.infer<typeof apiKey>
  | z.infer<typeof basic>
  | z.infer<typeof header>
  | z.infer<typeof webhook>;

export const newCredential = z.discriminatedUnion('kind', [
  apiKey.extend({ name }),
  basic.extend({ name }),
  header.extend({ name }),
  webhook.extend({ name }),
]);

/** The headers that carry the secret in an HTTP call, and the texts to mask in its answer. */
export interface CredentialHeaders {
  headers: Readonly<Record<string, string>>;
  secrets: readonly string[];
}

/** Returns the headers with lower-case names. The secret of a webhook signs and is never sent. */
export function credentialHeaders({ kind, data }: Exclude<Secret, { kind: 'webhook' }>): CredentialHeaders {
  if (kind === 'api-key')
    return { headers: { authorization: `Bearer ${data.apiKey}` }, secrets: [data.apiKey] };
  if (kind === 'header')
    return {
      headers: { [data.name.toLowerCase()]: data.value },
      secrets: secretParts(data.name, data.value),
    };
  const pair = `${data.username}:${data.password}`;
  const sent = Buffer.from(pair, 'utf8').toString('base64');
  return { headers: { authorization: `Basic ${sent}` }, secrets: [sent, pair, data.password] };
}
