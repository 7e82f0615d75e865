import { FIELD_NAMES, fieldText, lacksName, memberOf, type MetaField } from '../../../common/meta-fields.js';
import type { Place } from '../place.js';

export const REPORT_TYPES = ['checkin', 'checkout', 'interim', ''] as const;
export type ReportType = (typeof REPORT_TYPES)[number];
export type Completeness = 'list' | 'require' | 'force';

export type DraftText = Exclude<MetaField, 'reportType' | 'guided'>;

/** The fields of members of `meta` that are texts in the form, including the id of the logo. */
export const DRAFT_TEXTS = FIELD_NAMES.filter(
  (name): name is DraftText => name !== 'reportType' && name !== 'guided',
);

export const KEY_PARTS = DRAFT_TEXTS.filter((name): name is DraftText & `keyDetails.${string}` =>
  name.startsWith('keyDetails.'),
);

const emptyOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, ''])) as Record<Name, string>;

/** The report's form as typed. */
export interface Draft extends Record<DraftText, string> {
  reportType: ReportType;
  guided: boolean;
  /** The file name of the uploaded logo, whose id is `logo`. */
  logoName: string;
  /** `51.501364, -0.141890` */
  geo: string;
  /** Slugs of service areas that the property does not have. */
  skipped: readonly string[];
  comments: readonly { area: string; text: string }[];
  completeness: Completeness;
  /** Separated by commas. */
  emailTo: string;
  /** The maximum file size. */
  maxMegabytes: string;
}

export const EMPTY_DRAFT: Draft = {
  reportType: 'checkin',
  ...emptyOf(DRAFT_TEXTS),
  guided: false,
  logoName: '',
  geo: '',
  skipped: [],
  comments: [],
  completeness: 'list',
  emailTo: '',
  maxMegabytes: '',
};

/** Returns whether the report expects the five service areas. */
export const expectsAreas = ({ reportType }: Pick<Draft, 'reportType'>): boolean =>
  reportType === 'checkin' || reportType === 'checkout';

/** Returns the service areas that are outstanding for this report. */
export function missingAreas(draft: Draft, outstanding: readonly string[]): string[] {
  if (!expectsAreas(draft)) return [];
  const hasKeyDetails = KEY_PARTS.some((name) => isFilled(draft[name]));
  return outstanding.filter((slug) => !draft.skipped.includes(slug) && !(hasKeyDetails && slug === 'keys'));
}

/** Parses a coordinate; undefined when it is not valid. */
export function readGeo(text: string): { latitude: number; longitude: number } | undefined {
  const found = /^\s*(-?\d{1,2}(?:\.\d{1,12})?)\s*[,; ]\s*(-?\d{1,3}(?:\.\d{1,12})?)\s*$/.exec(text);
  const [latitude, longitude] = [Number(found?.[1] ?? NaN), Number(found?.[2] ?? NaN)];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

export const NO_SIZE = 'Enter a number of megabytes, such as 14.';

/** Converts megabytes (a million bytes each) to bytes; null when empty, undefined when not a number. */
export function readMegabytes(text: string): number | null | undefined {
  const typed = text.trim().replace(',', '.');
  if (typed === '') return null;
  return /^\d{1,6}(?:\.\d{1,6})?$/.test(typed) ? Math.round(Number(typed) * 1_000_000) : undefined;
}

/** Returns the fault of the documents handed over; one without a name would not be printed. */
export const documentsFaultIn = (text: string): string | undefined =>
  lacksName('documents', text) ? 'Enter the name of each document.' : undefined;

/** The fields that can have a fault. */
type Faulty = 'geo' | 'maxMegabytes' | 'documents' | 'comments';

/** Returns the faults that prevent rendering and saving, by field. */
export function faultsOf(draft: Draft): Partial<Record<Faulty, string>> {
  const documents = documentsFaultIn(draft.documents);
  return {
    ...(documents === undefined ? {} : { documents }),
    ...(draft.comments.some(({ area, text }) => !isFilled(area) && isFilled(text))
      ? { comments: 'Enter the area of each comment.' }
      : {}),
    ...(isFilled(draft.geo) && !readGeo(draft.geo)
      ? { geo: 'Enter latitude and longitude in degrees, such as 51.501364, -0.141890.' }
      : {}),
    ...(readMegabytes(draft.maxMegabytes) === undefined ? { maxMegabytes: NO_SIZE } : {}),
  };
}

/** Parts of the body that are not in the form. */
interface Sending {
  /** The service can send email. */
  mail?: boolean;
  /** Members of the record that were cleared in the form and stay blank. */
  cleared?: readonly string[];
  /** The comments are unchanged, so the report takes them from the record. */
  commentsOfRecord?: boolean;
  /** A preview, which claims no photographs. */
  preview?: boolean;
}

/** Builds the body of the render request. Empty fields are left out; the others are sent as typed. */
export function renderBody(
  { flowId, sessionId }: Pick<Place, 'flowId' | 'sessionId'>,
  draft: Draft,
  { mail = false, cleared = [], commentsOfRecord = false, preview = false }: Sending = {},
): object {
  const to = draft.emailTo.split(/[,;\s]+/).filter((address) => address !== '');
  const { areaComments, ...meta } = metaOf(draft);
  const maxBytes = readMegabytes(draft.maxMegabytes);
  return {
    templateId: 'inspection',
    source: {
      type: 'inspection',
      sessionId,
      flowId,
      meta: {
        ...Object.fromEntries(cleared.map((name) => [name, null])),
        ...meta,
        ...(areaComments === undefined || commentsOfRecord ? {} : { areaComments }),
      },
      ...(expectsAreas(draft) && draft.completeness === 'require' ? { requireComplete: true } : {}),
      ...(expectsAreas(draft) && draft.completeness === 'force' ? { forceFinish: true } : {}),
    },
    ...(mail && to.length > 0 ? { delivery: { email: { to } } } : {}),
    ...(typeof maxBytes === 'number' ? { maxBytes } : {}),
    ...(preview ? { preview: true } : {}),
  };
}

/** Returns the members of `meta` that the form sets. */
export function metaOf(draft: Draft): Record<string, unknown> {
  const comments = commentsOf(draft);
  const geo = readGeo(draft.geo);
  return {
    ...membersOf(draft),
    guided: draft.guided,
    ...(geo ? { geo } : {}),
    ...(draft.skipped.length > 0 ? { skippedAreas: draft.skipped.join('|') } : {}),
    ...(comments.size > 0 ? { areaComments: Object.fromEntries(comments) } : {}),
  };
}

function commentsOf({ comments }: Draft): Map<string, string[]> {
  const byArea = new Map<string, string[]>();
  for (const { area, text } of comments)
    if (isFilled(area) && isFilled(text)) byArea.set(area, [...(byArea.get(area) ?? []), text]);
  return byArea;
}

/** Returns the members whose fields are filled; a text on one line stays as it was typed. */
function membersOf(draft: Draft): Record<string, unknown> {
  const meta: Record<string, unknown> = {};
  for (const field of [...DRAFT_TEXTS, 'reportType'] as const) {
    if (!isFilled(draft[field])) continue;
    const [name, value] = memberOf(meta, field, draft[field]);
    meta[name] = value === draft[field].trim() ? draft[field] : value;
  }
  return meta;
}

/** Returns the texts of the fields from the details of a record. */
export const textsIn = (details: Readonly<Record<string, unknown>>): Partial<Record<DraftText, string>> =>
  Object.fromEntries(
    DRAFT_TEXTS.flatMap((field) => {
      const text = fieldText(details, field);
      return text === '' ? [] : [[field, text]];
    }),
  );

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** Reads stored changes, dropping anything of the wrong type. */
export function changesIn(stored: unknown): Partial<Draft> {
  if (typeof stored !== 'object' || stored === null) return {};
  const known = Object.entries(EMPTY_DRAFT).flatMap(([name, empty]) => {
    const value = (stored as Record<string, unknown>)[name];
    const same = typeof value === typeof empty && Array.isArray(value) === Array.isArray(empty);
    return same ? [[name, value] as const] : [];
  });
  return Object.fromEntries(known);
}
