import { parseJson } from '../../../common/json/json-text.js';
import type { Json } from '../../engine/json.js';
import { parseTemplate } from '../../engine/template.js';
import type { ImportedReferences } from './imported-references.js';
import { markdownOf } from './tiptap-text.js';

/**
 * A text of an export as a template: Markdown, its references in the service's own spelling. References that are not
 * plain names stay as written.
 */
export const templateOf = (text: string, references: ImportedReferences): string =>
  parseTemplate(markdownOf(text))
    .parts.map((part) => (typeof part === 'string' ? part : references.spelt(part)))
    .join('');

/** All texts of a value; what an editor leaves empty is left out of objects. */
export function templatesIn(value: Json, references: ImportedReferences): Json {
  if (typeof value === 'string') return templateOf(value, references);
  if (Array.isArray(value)) return value.map((item) => templatesIn(item, references));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      isEmpty(inner) ? [] : [[name, templatesIn(inner, references)]],
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
