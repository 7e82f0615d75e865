import { z } from 'zod';
import { parseInTurns } from '../../common/json/json-buffer.js';
import type { OutboundHttp } from '../../common/outbound/outbound-http.js';
import type { OutboundResponse } from '../../common/outbound/outbound-response.js';
import { ServiceError } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import type { CredentialSource } from '../credentials/credential-source.js';
import { jsonObject } from '../definition/flow-definition.js';
import type { Json } from '../engine/json.js';
import type { NodeContext } from '../engine/node-kind.js';
import { nodeValues } from '../engine/node-values.js';
import { fieldsOf, httpBody } from './http-body.js';

const json = z.json() as z.ZodType<Json>;

/** An object, or a list of `{ key, value }`. */
const fields = z.union([jsonObject, z.array(z.object({ key: z.string(), value: json }))]);

/** The settings of an HTTP request, in the config of whatever sends one. */
export const httpSettings = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']).default('GET'),
  url: z.string().min(1).describe('The address; a template.'),
  headers: fields.optional().describe('Name → value, or a list of { key, value }.'),
  query: fields.optional().describe('Added to the address: name → value, or a list of { key, value }.'),
  body: json.optional().describe('What is sent; its texts are templates.'),
  bodyType: z
    .enum(['json', 'raw', 'formData', 'xWwwFormUrlencoded'])
    .optional()
    .describe('How the body is sent.'),
  responseType: z
    .enum(['json', 'text', 'base64', 'arraybuffer'])
    .optional()
    .describe('How the answer is read. Absent: JSON when it says that it is, text otherwise.'),
  timeoutMs: z.int().min(1).max(600_000).optional().describe('How long the answer may take.'),
  credentialId: z
    .string()
    .min(1)
    .optional()
    .describe('Id of a kept credential: sent as Authorization or the header that it names. No template.'),
  retrySafe: z
    .boolean()
    .optional()
    .describe('The target may get this request twice: it is sent again when its answer was lost in a crash.'),
};

export type HttpSettings = z.infer<z.ZodObject<typeof httpSettings>>;

const MOST_BYTES = 10 * 1024 * 1024;

/** Safe or idempotent (RFC 9110, section 9.2.2): to repeat one does no more than to send it once. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

export const isRepeatable = ({ retrySafe, method }: Pick<HttpSettings, 'retrySafe' | 'method'>): boolean =>
  retrySafe === true || REPEATABLE.has(method);

/** An answer as a journal keeps it. */
export type StoredHttpAnswer = { status: number; headers: Record<string, string>; url: string; body: string };

/** An answer as it was read. */
export type HttpAnswer = { status: number; headers: Record<string, string>; data: Json; text: string };

/** Sends what the settings say, under the rules of `common/outbound/outbound-http`. */
export class HttpRequests {
  constructor(
    private readonly http: OutboundHttp,
    private readonly credentials: CredentialSource,
  ) {}

  /** Makes a request ready; `send` may be called once. The secrets of its credential are the run's from now on. */
  async prepare(
    settings: HttpSettings,
    { secret, signal }: Pick<NodeContext<unknown>, 'secret' | 'signal'>,
  ): Promise<(idempotencyKey: string) => Promise<StoredHttpAnswer>> {
    const body = await httpBody(settings.body, settings.bodyType);
    const headers: Record<string, string> = { ...(body?.type ? { 'content-type': body.type } : {}) };
    for (const [name, value] of fieldsOf(settings.headers)) headers[name.toLowerCase()] = scalarText(value);
    const { credentialId } = settings;
    const credential = credentialId === undefined ? undefined : await this.credentials.headers(credentialId);
    Object.assign(headers, credential?.headers);
    secret(...(credential?.secrets ?? []));
    return async (idempotencyKey) => {
      const answer = await this.http.request({
        url: withQuery(settings.url.trim(), settings.query),
        method: settings.method,
        headers: { 'idempotency-key': idempotencyKey, ...headers },
        maxBytes: MOST_BYTES,
        ...(settings.responseType === 'text' ? {} : { maxValues: nodeValues.share }),
        signal,
        ...(settings.timeoutMs === undefined ? {} : { timeoutMs: settings.timeoutMs }),
        ...(body === undefined ? {} : { body: body.content }),
      });
      return { ...answer, body: answer.body.toString('base64') };
    };
  }
}

/** Reads an answer. Throws where its status is 400 or more, with what it says. */
export async function readHttpAnswer(
  { body, ...head }: StoredHttpAnswer,
  wanted: HttpSettings['responseType'],
  { masked, warn }: Pick<NodeContext<unknown>, 'masked' | 'warn'>,
): Promise<HttpAnswer> {
  const response = { ...head, body: Buffer.from(body, 'base64') };
  if (response.status >= 400)
    throw new Error(`The target answered ${response.status}: ${excerptOf(response, masked)}`);
  return {
    status: response.status,
    headers: response.headers,
    ...(await readAnswer(response, wanted, warn)),
  };
}

const scalarText = (value: Json): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);

function withQuery(url: string, query: Json | undefined): string {
  const entries = fieldsOf(query);
  if (entries.length === 0 || !URL.canParse(url)) return url;
  const address = new URL(url);
  for (const [name, value] of entries) {
    for (const item of Array.isArray(value) ? value : [value])
      address.searchParams.append(name, scalarText(item));
  }
  return address.href;
}

/** Masked before it is cut, from more than is shown: the cut leaves no part of a secret. */
const excerptOf = ({ body }: OutboundResponse, masked: (text: string) => string): string =>
  body.length === 0 ? '(no body)' : masked(body.subarray(0, 8_192).toString('utf8')).slice(0, 500);

async function readAnswer(
  { headers, body }: OutboundResponse,
  wanted: HttpSettings['responseType'],
  warn: (warning: Warning) => void,
): Promise<{ text: string; data: Json }> {
  if (wanted === 'base64' || wanted === 'arraybuffer') {
    const text = body.toString('base64');
    return { text, data: text };
  }
  const text = body.toString('utf8');
  const saysJson = (headers['content-type'] ?? '').toLowerCase().includes('json');
  if (text === '' || wanted === 'text' || (wanted === undefined && !saysJson)) return { text, data: text };
  try {
    return { text, data: (await parseInTurns(text, nodeValues.share)) as Json };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'body_too_complex')
      throw new Error(
        `The target answered JSON of more than ${nodeValues.share} values. Ask it for fewer at a time.`,
        { cause: error },
      );
    warn({ code: 'not_json', message: 'An answer that should be JSON is none: it was taken as text.' });
    return { text, data: text };
  }
}
