import { ServiceError } from '../service-error.js';

/** The supported charsets (contract section 1). */
const CHARSETS = ['utf-8', 'us-ascii', 'iso-8859-1', 'windows-1252', 'utf-16le', 'utf-16be'] as const;

export type Charset = (typeof CHARSETS)[number];

/** Other names that clients write. */
const NAMES: ReadonlyMap<string, Charset> = new Map<string, Charset>([
  ...CHARSETS.map((name): [string, Charset] => [name, name]),
  ['utf8', 'utf-8'],
  ['ascii', 'us-ascii'],
  ['ansi_x3.4-1968', 'us-ascii'],
  ['latin1', 'iso-8859-1'],
  ['latin-1', 'iso-8859-1'],
  ['iso8859-1', 'iso-8859-1'],
  ['iso_8859-1', 'iso-8859-1'],
  ['cp1252', 'windows-1252'],
  ['x-cp1252', 'windows-1252'],
  ['utf16le', 'utf-16le'],
  ['utf16be', 'utf-16be'],
]);

/** Returns the charset with this name, in any case; undefined for an empty name. Throws 415 for an unsupported one. */
export function charsetNamed(name: string): Charset | undefined {
  const plain = name.trim().toLowerCase();
  const charset = NAMES.get(plain);
  if (charset === undefined && plain !== '') throw unknownCharset(plain);
  return charset;
}

/** Returns the charset of a `Content-Type`; undefined when it declares none. Throws 415. */
export function declaredCharset(contentType: string | undefined): Charset | undefined {
  for (const [, name, quoted, bare] of (contentType ?? '').matchAll(PARAMETER))
    if (name!.toLowerCase() === 'charset') return charsetNamed(quoted ?? bare ?? '');
  return undefined;
}

/** Matches quoted values whole, so that no parameter is found inside one. */
const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]*))/g;

const LONGEST_NAME = 40;

const unknownCharset = (name: string): ServiceError =>
  new ServiceError(
    'unsupported_media_type',
    `The charset "${name.slice(0, LONGEST_NAME).replaceAll(/[^\x20-\x7e]/g, '?')}" is not supported. Send ${CHARSETS.slice(0, -1).join(', ')} or ${CHARSETS.at(-1)}.`,
  );
