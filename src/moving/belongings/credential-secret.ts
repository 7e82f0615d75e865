import { newCredential, type Secret } from '../../flows/credentials/credential.js';
import type { Json } from '../../flows/engine/json.js';
import type { Members } from '../../flows/import/rows/members.js';

/** A converted secret with the names of the members that were lost, or the reason why there is none. */
type Converted = { secret: Secret; lost: string[] } | { why: string };

/** Converters of the kinds of credentials whose secret is not one key. */
const OTHERS: Readonly<Record<string, (data: Members) => unknown>> = {
  httpBasicAuth: (data) => ({
    kind: 'basic',
    data: { username: data['basicAuthUsername'], password: data['basicAuthPassword'] },
  }),
  httpBearerToken: (data) => ({ kind: 'api-key', data: { apiKey: data['token'] } }),
  httpApiKey: (data) => ({ kind: 'header', data: { name: data['key'], value: data['value'] } }),
};

/** Returns the kind that a credential will have here, by its name there; undefined if the name does not say. */
export function kindByName(credentialName: string): Secret['kind'] | undefined {
  if (credentialName === 'httpBasicAuth') return 'basic';
  if (credentialName === 'httpApiKey') return 'header';
  return /api$|generativeai$|^httpBearerToken$/i.test(credentialName) ? 'api-key' : undefined;
}

/** Converts the secret of a credential, for a model or an `http` node (contract section 8). */
export function secretIn(credentialName: string, data: Members): Converted {
  const other = OTHERS[credentialName];
  const texts = Object.entries(data).filter(([, value]) => isText(value));
  const keys = texts.filter(([name]) => /api_?key$/i.test(name));
  const [key] = keys.length > 0 ? keys : texts;
  const isOne = keys.length === 1 || (keys.length === 0 && texts.length === 1);
  if (!other && (!isOne || !key))
    return {
      why: `it holds ${texts.map(([name]) => name.slice(0, 60)).join(', ') || 'nothing'}; a credential here is one key, a name and a password, or a header`,
    };
  const made = other?.(data) ?? { kind: 'api-key', data: { apiKey: key![1] } };
  const parsed = newCredential.safeParse({ name: 'x', ...made });
  if (!parsed.success) return { why: 'its secret cannot be sent in a header' };
  const { name: _, ...secret } = parsed.data;
  const stored = new Set(Object.values(secret.data as Record<string, string>));
  const lost = texts.filter(([, value]) => !stored.has(value as string)).map(([name]) => name.slice(0, 60));
  return { secret, lost };
}

const isText = (value: Json): boolean => typeof value === 'string' && value !== '';
