import type { Json } from '../../common/answer.js';
import { FIELD_NAMES, memberOf, META_FIELDS, type MetaField } from '../../common/meta-fields.js';

/** A field of the sheet: a member of the record, or a part of one. */
export type FieldName = Exclude<MetaField, 'logo'>;

/** The fields of the sheet, without the logo. */
export const FIELDS = FIELD_NAMES.filter((name): name is FieldName => name !== 'logo');

/** Fields with a fixed place in the sheet. */
const PLACED: ReadonlySet<string> = new Set(
  'address propertyNo postcode reportType previousReport assessor company tenant guided'.split(' '),
);

/** The texts that follow the placed fields. */
export const OTHER_FIELDS = FIELDS.filter(
  (name) => !PLACED.has(name) && META_FIELDS[name].input === 'text' && !name.includes('.'),
);

/** Returns the change of the record that sets a field; an empty text removes it. */
export const changeOf = (details: Json, field: FieldName, text: string): Json =>
  Object.fromEntries([memberOf(details, field, text)]);
