import {
  KEY_DETAILS,
  META_MEMBERS,
  META_TEXTS,
  type MetaText,
} from '../../../src/inspection/report/meta-members.js';
import { type Json, objectIn } from '../../common/answer.js';

type KeyField = `keyDetails.${keyof typeof KEY_DETAILS}`;

/** A field of the sheet: a member of the record, or a part of `keyDetails`. */
export type FieldName = Exclude<MetaText, 'logo'> | 'guided' | KeyField;

const keyFields = Object.entries(KEY_DETAILS).map(
  ([part, label]) => [`keyDetails.${part}`, label] as [KeyField, string],
);

/** The text fields of the sheet, without the logo. */
export const TEXT_FIELDS = META_TEXTS.filter((name) => name !== 'logo');

export const FIELD_LABELS = Object.fromEntries([
  ...[...TEXT_FIELDS, 'guided' as const].map((name) => [name, META_MEMBERS[name].label]),
  ...keyFields,
]) as Readonly<Record<FieldName, string>>;

export const FIELDS = Object.keys(FIELD_LABELS) as FieldName[];

/** Returns a field's value as text: empty when there is none, `true` for a switch that is on. */
export function valueOf(details: Json, field: FieldName): string {
  const [member, part] = field.split('.') as [string, string?];
  const value = part === undefined ? details[member] : objectIn(details[member])[part];
  if (value === true) return 'true';
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/**
 * Returns the change of the record that sets a field; an empty text removes it. Members are replaced whole, so the other
 * parts of `keyDetails` are copied from `details`.
 */
export function changeOf(details: Json, field: FieldName, text: string): Json {
  const [member, part] = field.split('.') as [string, string?];
  const given = text.trim();
  if (part === undefined)
    return { [member]: given === '' ? null : member === 'guided' ? given === 'true' : given };
  const { [part]: _, ...rest } = objectIn(details[member]);
  const parts = given === '' ? rest : { ...rest, [part]: given };
  return { [member]: Object.keys(parts).length === 0 ? null : parts };
}
