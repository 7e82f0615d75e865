import { z } from 'zod';
import { jsonObject } from '../../api/flow-definition.js';
import { parseInTurns } from '../../common/json/json-buffer.js';
import type { OutboundHttp } from '../../common/outbound/outbound-http.js';
import type { OutboundResponse } from '../../common/outbound/outbound-response.js';
import { ServiceError } from '../../common/service-error.js';
import { receivedText } from '../../common/texts/received-text.js';
import type { Warning } from '../../common/warnings.js';
import type { CredentialSource } from '../credentials/credential-source.js';
import type { Json } from '../engine/json.js';
import type { NodeContext } from '../engine/node-kind.js';
import { nodeValues } from '../engine/node-values.js';
import { fieldsOf, httpBody } from './http-body.js';

const json = z.json() as z.ZodType<Json>;

/** An object, or a list of `{ key, value }`. */
const fields = z.union([jsonObject, z.array(z.object({ key: z.string(), value: json }))]);

/** The settings of an HTTP request in a config. */
export const httpSettings = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']).default('GET'),
  url: z.string().min(1).describe('The address; a template.'),
  headers: fields.optional().describe('Name → value, or a list of { key, value }.'),
  query: fields.optional().describe('Added to the address: name → value, or a list of { key, value }.'),
  body: json.optional().describe('The body; texts are templates.'),
  bodyType: z
    .enum(['json', 'raw', 'formData', 'xWwwFormUrlencoded'])
    .optional()
    .describe('The encoding of the body.'),
  responseType: z
    .enum(['json', 'text', 'base64', 'arraybuffer'])
    .optional()
    .describe('The form of the answer. Absent: JSON if its content type says so, text otherwise.'),
  timeoutMs: z
    .int()
    .min(1)
    .max(600_000)
    .optional()
    .describe('The time limit of the answer in milliseconds; 30,000 when absent.'),
  credentialId: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Id of a stored credential, which is sent as Authorization or as the header that it names. Not a template.',
    ),
  retrySafe: z
    .boolean()
    .optional()
    .describe('The request may be repeated: it is sent again if its answer was lost in a crash.'),
};

export type HttpSettings = z.infer<z.ZodObject<typeof httpSettings>>;

const MOST_BYTES = 10 * 1024 * 1024;

/** Safe or idempotent methods (RFC 9110, section 9.2.2), which may be repeated. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

export const isRepeatable = ({ retrySafe, method }: Pick<HttpSettings, 'retrySafe' | 'method'>): boolean =>
  retrySafe === true || REPEATABLE.has(method);

/** An answer in a journal. */
type StoredHttpAnswer = { status: number; headers: Record<string, string>; url: string; body: string };

/** A parsed answer. */
type HttpAnswer = { status: number; headers: Record<string, string>; data: Json; text: string };

/** A request that is ready to be sent, or that says why not. */
interface PreparedRequest {
  /** Throws if the request cannot be sent. */
  ready: () => void;
  send: (idempotencyKey: string) => Promise<StoredHttpAnswer>;
}

/** Sends requests under the rules of `common/outbound/outbound-http`. */
export class HttpRequests {
  constructor(
    private readonly http: OutboundHttp,
    private readonly credentials: CredentialSource,
  ) {}

  /**
   * Prepares a request; call `send` once. Adds the secrets of its credential to those of the run. A credential that cannot be
   * opened fails `ready` and `send`: a stored answer needs none.
   */
  async prepare(
    settings: HttpSettings,
    { secret, signal }: Pick<NodeContext<unknown>, 'secret' | 'signal'>,
  ): Promise<PreparedRequest> {
    const body = await httpBody(settings.body, settings.bodyType);
    const headers: Record<string, string> = { ...(body?.type ? { 'content-type': body.type } : {}) };
    for (const [name, value] of fieldsOf(settings.headers)) headers[name.toLowerCase()] = scalarText(value);
    const { ready, ...credential } = await this.credentials.prepare(settings.credentialId);
    Object.assign(headers, credential.headers);
    secret(...credential.secrets);
    const send = async (idempotencyKey: string): Promise<StoredHttpAnswer> => {
      ready();
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
    return { ready, send };
  }
}

/** Parses an answer. Throws for a status of 400 or more, with an excerpt of the answer. */
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

/** Returns an excerpt, which is masked before it is cut, so that no part of a secret is left. */
const excerptOf = ({ headers, body }: OutboundResponse, masked: (text: string) => string): string =>
  body.length === 0
    ? '(no body)'
    : masked(receivedText(body.subarray(0, 8_192), headers['content-type'])).slice(0, 500);

async function readAnswer(
  { headers, body }: OutboundResponse,
  wanted: HttpSettings['responseType'],
  warn: (warning: Warning) => void,
): Promise<{ text: string; data: Json }> {
  if (wanted === 'base64' || wanted === 'arraybuffer') {
    const text = body.toString('base64');
    return { text, data: text };
  }
  const text = receivedText(body, headers['content-type']);
  const saysJson = (headers['content-type'] ?? '').toLowerCase().includes('json');
  if (text === '' || wanted === 'text' || (wanted === undefined && !saysJson)) return { text, data: text };
  try {
    return { text, data: (await parseInTurns(text, nodeValues.share)) as Json };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'body_too_complex')
      throw new Error(
        `The target answered JSON of more than ${nodeValues.share} values. Request fewer at a time.`,
        { cause: error },
      );
    warn({ code: 'not_json', message: 'An answer is not valid JSON. It was read as text.' });
    return { text, data: text };
  }
}
