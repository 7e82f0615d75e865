import { FIELD_NAMES } from '../../../common/meta-fields.js';
import { skippedItems } from '../photographs/service-areas.js';
import { type Draft, metaOf, REPORT_TYPES, type ReportType, textsIn } from './draft.js';

/** The record of an inspection. */
export interface RecordOfInspection {
  details: Record<string, unknown>;
  updatedAt: string | null;
}

/** The form's fields for each member of the record. */
const FIELDS: Readonly<Record<string, readonly (keyof Draft)[]>> = {
  ...fieldsByMember(),
  geo: ['geo'],
  skippedAreas: ['skipped'],
  areaComments: ['comments'],
};

function fieldsByMember(): Record<string, (keyof Draft)[]> {
  const fields: Record<string, (keyof Draft)[]> = {};
  for (const field of FIELD_NAMES) (fields[field.split('.')[0]!] ??= []).push(field);
  return fields;
}

/** Returns the form's fields from the record. */
export function draftOf(details: RecordOfInspection['details']): Partial<Draft> {
  const { reportType, guided, geo, skippedAreas, areaComments, logo } = details;
  return {
    ...textsIn(details),
    ...(typeof logo === 'string' && logo !== '' ? { logoName: 'Logo of the inspection' } : {}),
    ...(typeof reportType === 'string'
      ? { reportType: REPORT_TYPES.includes(reportType as ReportType) ? (reportType as ReportType) : '' }
      : {}),
    ...(typeof guided === 'boolean' ? { guided } : {}),
    ...(isObject(geo) ? { geo: `${String(geo['latitude'])}, ${String(geo['longitude'])}` } : {}),
    ...(typeof skippedAreas === 'string' ? { skipped: skippedItems(skippedAreas) } : {}),
    ...(isObject(areaComments) ? { comments: commentsIn(areaComments) } : {}),
  };
}

/** Returns the change of the record for these changes of the form; `null` removes a member. */
export function changeOf(draft: Draft, changes: Partial<Draft>): Record<string, unknown> {
  const meta = metaOf(draft);
  const touched = Object.entries(FIELDS).filter(([, fields]) => fields.some((field) => field in changes));
  return Object.fromEntries(touched.map(([name]) => [name, meta[name] ?? null]));
}

/** Returns the members that were cleared in the form. */
export const clearedOf = (draft: Draft, changes: Partial<Draft>): string[] =>
  Object.entries(changeOf(draft, changes)).flatMap(([name, value]) => (value === null ? [name] : []));

/** Returns the changes that are not part of the record: completeness, recipients and file size. */
export function withoutRecorded(changes: Partial<Draft>): Partial<Draft> {
  const recorded = new Set<string>(['logoName', ...Object.values(FIELDS).flat()]);
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !recorded.has(name)));
}

const commentsIn = (areas: Record<string, unknown>): Draft['comments'] =>
  Object.entries(areas).flatMap(([area, texts]) =>
    Array.isArray(texts) ? texts.map((each) => ({ area, text: String(each) })) : [],
  );

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
