import {
  META_MEMBERS,
  type MetaMember,
  type MetaName,
  type MetaType,
} from '../../src/inspection/report/meta-members.js';
import { listIn, textIn } from './answer.js';

type Members = typeof META_MEMBERS;

/** The types of members that forms edit in ways of their own. */
type OwnForm = 'coordinates' | 'comments' | 'areas';

type FieldOf<Name extends MetaName> = Members[Name] extends { readonly parts: infer Parts }
  ? `${Name}.${keyof Parts & string}`
  : Name;

/** A field of a form: a member of `meta`, or a part of one. */
export type MetaField = {
  [Name in MetaName]: Members[Name]['type'] extends OwnForm ? never : FieldOf<Name>;
}[MetaName];

/** The input of a field. `names` has a name on each line, `documents` a document. */
export type FieldInput = 'text' | 'flag' | 'date' | 'time' | 'furnishing' | 'names' | 'documents' | 'report';

const INPUTS: Readonly<Record<Exclude<MetaType, OwnForm>, FieldInput>> = {
  text: 'text',
  flag: 'flag',
  keys: 'text',
  overview: 'text',
  period: 'date',
  names: 'names',
  documents: 'documents',
  report: 'report',
};

export interface FieldTerms {
  readonly label: string;
  readonly input: FieldInput;
}

const isOwnForm = (type: MetaType): type is OwnForm => !Object.hasOwn(INPUTS, type);

/** The fields of the forms that edit `meta`, in the order of its members: one for each member or part of one. */
export const META_FIELDS = Object.fromEntries(
  Object.entries<MetaMember>(META_MEMBERS).flatMap(
    ([name, { type, label, parts, timed }]): [string, FieldTerms][] => {
      if (isOwnForm(type)) return [];
      const input = timed ? 'time' : INPUTS[type];
      if (parts === undefined) return [[name, { label, input }]];
      return Object.entries(parts).map(([part, partLabel]) => [
        `${name}.${part}`,
        { label: partLabel, input: part === 'furnished' ? 'furnishing' : input },
      ]);
    },
  ),
) as Readonly<Record<MetaField, FieldTerms>>;

export const FIELD_NAMES = Object.keys(META_FIELDS) as MetaField[];

type Json = { readonly [name: string]: unknown };

/** A row of the field `documents`. */
export interface DocumentRow {
  readonly kind: string;
  readonly date: string;
  readonly note: string;
}

/** Returns the text of a field: empty if there is none, `true` for a switch that is on. */
export function fieldText(details: Json, field: MetaField): string {
  const value = valueAt(details, field);
  if (META_FIELDS[field].input === 'documents') return documentText(listIn(value).map(rowOf));
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string').join('\n');
  if (value === true) return 'true';
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/**
 * Returns the member of a field with this text as its value, or null to remove it. Members are replaced whole, so that the
 * other parts are copied from `details`.
 */
export function memberOf(details: Json, field: MetaField, text: string): [name: MetaName, value: unknown] {
  const [name, part] = field.split('.') as [MetaName, string?];
  const value = valueOf(META_FIELDS[field].input, text);
  if (part === undefined) return [name, value];
  const { [part]: _, ...rest } = objectIn(details[name]);
  const parts = value === null ? rest : { ...rest, [part]: value };
  return [name, Object.keys(parts).length === 0 ? null : parts];
}

/** Returns the text that a field has once this one is stored. */
export const storedText = (field: MetaField, text: string): string =>
  fieldText(Object.fromEntries([memberOf({}, field, text)]), field);

/** The input of a browser for a date, or for a date with its time. A text that it cannot show is edited as text. */
export function dateInput(field: MetaField, text: string): 'date' | 'datetime-local' | undefined {
  const [type, format] = META_FIELDS[field].input === 'time' ? DATE_AND_TIME : DATE;
  return text === '' || format.test(text) ? type : undefined;
}

const DATE = ['date', /^\d{4}-\d{2}-\d{2}$/] as const;
const DATE_AND_TIME = ['datetime-local', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/] as const;

const BETWEEN = '\t';

/** Reads the rows of the field `documents`: a line each, with tabs between kind, date and note. */
export const documentRows = (text: string): DocumentRow[] =>
  text === ''
    ? []
    : text.split('\n').map((line) => {
        const [kind = '', date = '', note = ''] = line.split(BETWEEN);
        return { kind, date, note };
      });

/** Returns whether this text has a document with a date or a note but without a name, which would not be stored. */
export const lacksName = (field: MetaField, text: string): boolean =>
  META_FIELDS[field].input === 'documents' &&
  documentRows(text).some(({ kind, date, note }) => kind.trim() === '' && `${date}${note}`.trim() !== '');

export const documentText = (rows: readonly DocumentRow[]): string =>
  rows.map(({ kind, date, note }) => [kind, date, note].map(oneLine).join(BETWEEN)).join('\n');

const oneLine = (text: string): string => text.replace(/[\t\n]/g, ' ');

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

function valueOf(input: FieldInput, typed: string): unknown {
  if (input === 'documents') return orNull(documentRows(typed).flatMap(handedOver));
  const text = typed.trim();
  if (text === '') return null;
  if (input === 'flag') return text === 'true';
  if (input === 'report') return UUID.exec(text)?.[0].toLowerCase() ?? text;
  if (input === 'names') return orNull(linesOf(text));
  return text;
}

const linesOf = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || []);

const orNull = (list: readonly unknown[]): unknown => (list.length === 0 ? null : list);

function handedOver(row: DocumentRow): object[] {
  const [kind, date, note] = [row.kind, row.date, row.note].map((text) => text.trim());
  return kind ? [{ kind, ...(date ? { date } : {}), ...(note ? { note } : {}) }] : [];
}

function rowOf(value: unknown): DocumentRow {
  const { kind, date, note } = objectIn(value);
  return { kind: textIn(kind), date: textIn(date), note: textIn(note) };
}

function valueAt(details: Json, field: MetaField): unknown {
  const [name, part] = field.split('.') as [string, string?];
  return part === undefined ? details[name] : objectIn(details[name])[part];
}

const objectIn = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
