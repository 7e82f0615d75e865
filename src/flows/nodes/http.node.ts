import { z } from 'zod';
import type { Warning } from '../../common/warnings.js';
import { parseJson } from '../../common/json-text.js';
import type { OutboundHttp, OutboundResponse } from '../../common/outbound-http.js';
import { jsonObject } from '../definition/flow-definition.js';
import type { Json } from '../engine/json.js';
import type { NodeKind } from '../engine/node-kind.js';
import type { CredentialSource } from '../models/credential-source.js';
import { fieldsOf, httpBody } from './http-body.js';
import { secretsIn, shownPlaces } from './http-secrets.js';

const json = z.json() as z.ZodType<Json>;

/** An object, or a list of `{ key, value }`. */
const fields = z.union([jsonObject, z.array(z.object({ key: z.string(), value: json }))]);

const config = z
  .object({
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
      .describe(
        'The target may get this request twice: it is sent again when its answer was lost in a crash.',
      ),
  })
  .describe('Asks another service: {{id.output.data}}, {{id.output.status}}.');

type HttpConfig = z.infer<typeof config>;

const MOST_BYTES = 10 * 1024 * 1024;

/** Safe or idempotent (RFC 9110, section 9.2.2): to repeat one does no more than to send it once. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/**
 * Asks another service, under the rules of `common/outbound-http`. Output `{ status, headers, data }`; a status of 400 or
 * more fails the node. A run that is gone on with takes the answer that an earlier attempt had; a request whose answer was
 * lost is sent again only where that is safe.
 */
export const httpNode = (http: OutboundHttp, credentials: CredentialSource): NodeKind<HttpConfig> => ({
  kind: 'http',
  config,
  streams: false,
  leafText: 'own',
  rawTexts: ['credentialId'],
  secretsIn,
  traceOf: (config) => ({ ...config, ...shownPlaces(config) }) as Json,
  async run({ config, signal, warn, secret, masked, effects }) {
    const body = await httpBody(config.body, config.bodyType);
    const headers: Record<string, string> = { ...(body?.type ? { 'content-type': body.type } : {}) };
    for (const [name, value] of fieldsOf(config.headers)) headers[name.toLowerCase()] = scalarText(value);
    const credential =
      config.credentialId === undefined ? undefined : await credentials.headers(config.credentialId);
    Object.assign(headers, credential?.headers);
    secret(...(credential?.secrets ?? []));
    const repeatable = config.retrySafe === true || REPEATABLE.has(config.method);
    const { body: sent, ...kept } = await effects.outside('http', { repeatable }, async (key) => {
      const answer = await http.request({
        url: withQuery(config.url.trim(), config.query),
        method: config.method,
        headers: { 'idempotency-key': key, ...headers },
        maxBytes: MOST_BYTES,
        signal,
        ...(config.timeoutMs === undefined ? {} : { timeoutMs: config.timeoutMs }),
        ...(body === undefined ? {} : { body: body.content }),
      });
      return { ...answer, body: answer.body.toString('base64') };
    });
    const response = { ...kept, body: Buffer.from(sent, 'base64') };
    if (response.status >= 400)
      throw new Error(`The target answered ${response.status}: ${excerptOf(response, masked)}`);
    const { text, data } = readAnswer(response, config.responseType, warn);
    return { output: { status: response.status, headers: response.headers, data }, text };
  },
});

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

function readAnswer(
  { headers, body }: OutboundResponse,
  wanted: HttpConfig['responseType'],
  warn: (warning: Warning) => void,
): { text: string; data: Json } {
  if (wanted === 'base64' || wanted === 'arraybuffer') {
    const text = body.toString('base64');
    return { text, data: text };
  }
  const text = body.toString('utf8');
  const saysJson = (headers['content-type'] ?? '').toLowerCase().includes('json');
  if (text === '' || wanted === 'text' || (wanted === undefined && !saysJson)) return { text, data: text };
  try {
    return { text, data: parseJson(text, Infinity) as Json };
  } catch {
    warn({ code: 'not_json', message: 'An answer that should be JSON is none: it was taken as text.' });
    return { text, data: text };
  }
}
