import type { Json } from './json.js';

/** One `{{…}}` of a template; `raw` stays when it has no value. */
export interface Reference {
  raw: string;
  /** `question`, `$vars`, `$flow`, a node id … */
  root: string;
  path: readonly string[];
}

/** A parsed template: literal pieces and references in order. */
export interface TextTemplate {
  parts: readonly (string | Reference)[];
}

/** Returns the value of a reference; one without a value (`undefined`) stays as written. */
export type Lookup = (root: string, path: readonly string[]) => Json | undefined;

const LONGEST_REFERENCE = 1_000;

/** Characters of a filled text: more than the largest upload as a data URI. */
const LONGEST_TEXT = 128 * 1024 * 1024;

/**
 * Parses the `{{…}}` language of contract section 9 in one pass without regular expressions. A text in double braces that
 * is not a reference (`{{"a":1}}`) is a literal.
 */
export function parseTemplate(text: string): TextTemplate {
  const parts: (string | Reference)[] = [];
  let literalFrom = 0;
  let searchFrom = 0;
  for (;;) {
    const firstOpen = text.indexOf('{{', searchFrom);
    if (firstOpen < 0) break;
    const close = text.indexOf('}}', firstOpen + 2);
    if (close < 0) break;
    const open = text.lastIndexOf('{{', close - 2);
    searchFrom = close + 2;
    const reference = open < firstOpen ? undefined : parseReference(text.slice(open, searchFrom));
    if (reference === undefined) continue;
    if (open > literalFrom) parts.push(text.slice(literalFrom, open));
    parts.push(reference);
    literalFrom = searchFrom;
  }
  if (literalFrom < text.length) parts.push(text.slice(literalFrom));
  return { parts };
}

function parseReference(raw: string): Reference | undefined {
  if (raw.length > LONGEST_REFERENCE) return undefined;
  const inner = raw.slice(2, -2).trim().replaceAll('\\_', '_').replaceAll('[', '.').replaceAll(']', '');
  const [root, ...path] = inner.split('.');
  if (root === undefined || root === '' || path.includes('')) return undefined;
  return { raw, root, path };
}

/** Returns whether a template has a reference. */
export const hasReferences = (template: TextTemplate): boolean =>
  template.parts.some((part) => typeof part !== 'string');

/** Inserts the values, which are not parsed as templates again. Throws when the text becomes too long. */
export function fillTemplate(template: TextTemplate, lookup: Lookup): string {
  let text = '';
  for (const part of template.parts) {
    if (typeof part === 'string') text += part;
    else {
      const value = lookup(part.root, part.path);
      text += value === undefined ? part.raw : textOf(value);
    }
    if (text.length > LONGEST_TEXT)
      throw new Error(
        `A text with its values filled in has more than ${LONGEST_TEXT} characters. Refer to less in it.`,
      );
  }
  return text;
}

/** Like `fillTemplate`, but a template that is a single reference keeps the type of its value. */
export function fillValue(template: TextTemplate, lookup: Lookup): Json {
  const [only] = template.parts;
  if (template.parts.length === 1 && typeof only === 'object')
    return lookup(only.root, only.path) ?? only.raw;
  return fillTemplate(template, lookup);
}

/** Returns a value as text: strings unchanged, `null` as an empty text, objects and lists as JSON. */
export function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Follows a path through own members; returns `undefined` when it leads nowhere. A list also has `length` and `inWords`:
 * its texts joined for a sentence (`gas meter, water meter and keys`).
 */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let here = value;
  for (const name of path) {
    if (Array.isArray(here) && name === 'inWords') return inWords(here);
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Record<string, Json>)[name];
  }
  return here;
}

function inWords(list: readonly Json[]): string {
  const words = list.map((item) => textOf(item).replaceAll('-', ' '));
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} and ${last}`;
}
