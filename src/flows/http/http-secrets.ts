import { MASK } from '../../common/masking/secret-mask.js';
import { isSecretParameter } from '../../common/masking/secret-names.js';
import { secretParts } from '../../common/masking/secret-parts.js';
import type { Json } from '../engine/json.js';
import { fieldsOf } from './http-body.js';

/** The members of an `http` node's config that may hold secrets. */
interface HttpPlaces {
  url?: Json | undefined;
  headers?: Json | undefined;
  query?: Json | undefined;
}

/**
 * Returns the secrets in the config: values of headers and parameters with secret names. `written` is the config before it
 * was filled: a value from a caller's text is not a secret of the flow, one from the flow's own variables is.
 */
export function secretsIn(config: HttpPlaces, written: HttpPlaces = config): string[] {
  const [filled, before] = [namedValues(config), namedValues(written)];
  return before.flatMap(([name, value], index) => {
    const [sameName, now] = filled[index] ?? [];
    if (value === '' || now === undefined || name !== sameName || !isOwn(value)) return [];
    return value.includes('{{') && config === written ? [] : secretParts(name, now);
  });
}

function namedValues({ url, headers, query }: HttpPlaces): [name: string, value: string][] {
  const named = [...fieldsOf(headers), ...fieldsOf(query)].flatMap(([name, value]) =>
    textsOf(value).map((text): [string, string] => [name, text]),
  );
  const inAddress = typeof url === 'string' ? addressValues(url) : [];
  return [...named, ...inAddress].filter(([name]) => isSecretParameter(name));
}

/** Returns whether a template has no references except to the flow's own variables. */
const isOwn = (written: string): boolean =>
  written
    .split('{{')
    .slice(1)
    .every((reference) => reference.trimStart().startsWith('$vars.'));

/** Returns the config for the trace, with such values masked even if they are short. */
export const shownPlaces = ({ url, headers, query }: HttpPlaces): Record<string, Json> => ({
  ...(typeof url === 'string' ? { url: shownAddress(url) } : {}),
  ...(headers === undefined ? {} : { headers: shownFields(headers) }),
  ...(query === undefined ? {} : { query: shownFields(query) }),
});

const shownFields = (fields: Json): Json =>
  Object.fromEntries(fieldsOf(fields).map(([name, value]) => [name, isSecretParameter(name) ? MASK : value]));

const textsOf = (value: Json): string[] =>
  Array.isArray(value) ? value.flatMap(textsOf) : [typeof value === 'string' ? value : JSON.stringify(value)];

/** Returns the parameters of an address, as written and decoded, and its password. */
function addressValues(url: string): [name: string, value: string][] {
  const parameters = parametersOf(url).flatMap(([name, value]): [string, string][] => [
    [name, value],
    [name, decodedParameter(value)],
  ]);
  const user = userOf(url) ?? '';
  // A name without a password is a token.
  const password = user.slice(user.indexOf(':') + 1) || user.slice(0, -1);
  if (password === '') return parameters;
  const decoded = decodedParameter(password.replaceAll('+', '%2B'));
  return [...parameters, ['password', password], ['password', decoded]];
}

function shownAddress(url: string): string {
  const user = userOf(url);
  const bare = user === undefined ? url : url.replace(`${user}@`, `${MASK}@`);
  const [address = '', ...rest] = bare.split('?');
  if (rest.length === 0) return bare;
  const shown = parametersOf(bare).map(([name, value, pair]) =>
    isSecretParameter(name) && value !== '' ? `${pair.slice(0, pair.length - value.length)}${MASK}` : pair,
  );
  return `${address}?${shown.join('&')}`;
}

/** Returns each parameter as decoded name, written value, and written pair. */
function parametersOf(url: string): [name: string, value: string, pair: string][] {
  const query = url.split('?').slice(1).join('?');
  if (query === '') return [];
  return query.split('&').map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [pair, '', pair] : [decodedParameter(pair.slice(0, at)), pair.slice(at + 1), pair];
  });
}

/** Returns `user:password` before the host, if any. */
function userOf(url: string): string | undefined {
  const from = url.indexOf('//');
  if (from < 0) return undefined;
  const host = url.slice(from + 2).split(/[/?#]/, 1)[0]!;
  const at = host.lastIndexOf('@');
  return at < 0 ? undefined : host.slice(0, at);
}

function decodedParameter(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
