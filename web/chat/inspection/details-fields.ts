import { type Json, objectIn } from '../../common/answer.js';

/** The fields of the sheet, members of the record. A part of `keyDetails` is a field of its own. */
export const FIELDS = [
  'address',
  'postcode',
  'propertyNo',
  'reportType',
  'assessor',
  'company',
  'tenant',
  'guided',
  'keyDetails.numberOfKeys',
  'keyDetails.takenFrom',
  'keyDetails.handedTo',
] as const;

export type FieldName = (typeof FIELDS)[number];

/** The value of a field as text: empty where there is none, `true` for what is switched on. */
export function valueOf(details: Json, field: FieldName): string {
  const [member, part] = field.split('.') as [string, string?];
  const value = part === undefined ? details[member] : objectIn(details[member])[part];
  if (value === true) return 'true';
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/**
 * The change of the record that gives a field this text, empty to take it away. Members are replaced whole: of `keyDetails`
 * the other parts stay as `details` has them.
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
