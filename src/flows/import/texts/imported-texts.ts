import { parseJson } from '../../../common/json/json-text.js';
import { isJsonObject, type Json } from '../../engine/json.js';
import { parseTemplate } from '../../engine/template.js';
import type { ImportedReferences } from './imported-references.js';
import { markdownOf } from './tiptap-text.js';

/**
 * Converts a text of an export to a template: Markdown with converted references. References that are not plain names stay
 * as written.
 */
export const templateOf = (text: string, references: ImportedReferences): string =>
  parseTemplate(markdownOf(text))
    .parts.map((part) => (typeof part === 'string' ? part : references.spelt(part)))
    .join('');

/** Converts all texts of a value, and leaves out empty members of objects. */
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

/** Returns whether a value is one that editors write for an empty input. */
export const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Returns a value that is a non-blank text, else undefined. */
export const wordOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** Returns whether a converted template has a reference to this name or to a member of it. */
export const isReferred = (template: string, name: string): boolean =>
  template.includes(`{{${name}}}`) || template.includes(`{{${name}.`);

/** Returns the objects of a list; editors write an empty text for an empty list. */
export const rowsOf = (value: Json | undefined): Record<string, Json>[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Returns the id of the credential in settings. */
export const credentialOf = (settings: Record<string, Json>): string | undefined =>
  wordOf(settings['FLOWISE_CREDENTIAL_ID']) ?? wordOf(settings['credential']);

/** Reads a number; editors write numbers as texts too. */
export function numberOf(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Returns the JSON object in a text; undefined when there is none. */
export function readObject(text: string | undefined): Record<string, Json> | undefined {
  if (text === undefined) return undefined;
  try {
    const value = parseJson(text) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the JSON object or list in a template, so that each value is inserted into its own member; else the template. */
export function structureIn(template: string): Json {
  try {
    const value = parseJson(template) as Json;
    return typeof value === 'object' && value !== null ? value : template;
  } catch {
    return template;
  }
}
