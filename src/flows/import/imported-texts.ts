import { parseJson } from '../../common/json/json-text.js';
import type { Json } from '../engine/json.js';
import { parseTemplate } from '../engine/template/template.js';
import { markdownOf } from './tiptap-text.js';

/** Names in references that are called otherwise here. */
const RENAMED = new Map([
  ['$flow.chatflowid', '$flow.flowId'],
  ['$flow.chatflowId', '$flow.flowId'],
  ['$flow.input', 'question'],
]);

const PLAIN_REFERENCE = /^[\w$.-]+$/;

/**
 * A text of an export as a template: Markdown, its references in the service's own spelling. References that are not
 * plain names stay as written. Every `$vars` name that it uses is added to `variables`.
 */
export function templateOf(text: string, variables: Set<string>): string {
  const { parts } = parseTemplate(markdownOf(text));
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const [first] = part.path;
      if (part.root === '$vars' && first !== undefined) variables.add(first);
      const name = [part.root, ...part.path].join('.');
      return PLAIN_REFERENCE.test(name) ? `{{${RENAMED.get(name) ?? name}}}` : part.raw;
    })
    .join('');
}

/** All texts of a value; what an editor leaves empty is left out of objects. */
export function templatesIn(value: Json, variables: Set<string>): Json {
  if (typeof value === 'string') return templateOf(value, variables);
  if (Array.isArray(value)) return value.map((item) => templatesIn(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      isEmpty(inner) ? [] : [[name, templatesIn(inner, variables)]],
    ),
  );
}

/** Whether a value is one of those that editors write for "nothing here". */
export const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A text that says something. */
export const wordOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** A list of objects; an empty text stands for an empty list. */
export const rowsOf = (value: Json | undefined): Record<string, Json>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Id of the credential that settings name. */
export const credentialOf = (settings: Record<string, Json>): string | undefined =>
  wordOf(settings['FLOWISE_CREDENTIAL_ID']) ?? wordOf(settings['credential']);

/** Editors write numbers as texts too. */
export function numberOf(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export const isObject = (value: Json | undefined): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object that a text says in JSON; undefined where it says none. */
export function readObject(text: string | undefined): Record<string, Json> | undefined {
  if (text === undefined) return undefined;
  try {
    const value = parseJson(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
