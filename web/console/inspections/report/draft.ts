import type { Place } from '../place.js';

export const REPORT_TYPES = ['checkin', 'checkout', 'interim', ''] as const;
export type ReportType = (typeof REPORT_TYPES)[number];
export type Completeness = 'list' | 'require' | 'force';

/** What a person has filled in for the report, as it was typed. */
export interface Draft {
  reportType: ReportType;
  propertyNo: string;
  address: string;
  postcode: string;
  company: string;
  assessor: string;
  tenant: string;
  guided: boolean;
  /** The id of an uploaded picture, and what its file was called. */
  logo: string;
  logoName: string;
  /** `51.501364, -0.141890` */
  geo: string;
  numberOfKeys: string;
  takenFrom: string;
  handedTo: string;
  /** Slugs of service areas that are not there. */
  skipped: readonly string[];
  comments: readonly { area: string; text: string }[];
  completeness: Completeness;
  /** With commas between them. */
  emailTo: string;
}

export const EMPTY_DRAFT: Draft = {
  reportType: 'checkin',
  propertyNo: '',
  address: '',
  postcode: '',
  company: '',
  assessor: '',
  tenant: '',
  guided: false,
  logo: '',
  logoName: '',
  geo: '',
  numberOfKeys: '',
  takenFrom: '',
  handedTo: '',
  skipped: [],
  comments: [],
  completeness: 'list',
  emailTo: '',
};

/** Whether the report expects the five service areas. */
export const expectsAreas = ({ reportType }: Pick<Draft, 'reportType'>): boolean =>
  reportType === 'checkin' || reportType === 'checkout';

/** The service areas that this report would still miss. */
export function missingAreas(draft: Draft, outstanding: readonly string[]): string[] {
  if (!expectsAreas(draft)) return [];
  const keysTold = [draft.numberOfKeys, draft.takenFrom, draft.handedTo].some(isFilled);
  return outstanding.filter((slug) => !draft.skipped.includes(slug) && !(keysTold && slug === 'keys'));
}

/** The two numbers of a coordinate; nothing when it is not one. */
export function readGeo(text: string): { latitude: number; longitude: number } | undefined {
  const found = /^\s*(-?\d{1,2}(?:\.\d{1,12})?)\s*[,; ]\s*(-?\d{1,3}(?:\.\d{1,12})?)\s*$/.exec(text);
  const [latitude, longitude] = [Number(found?.[1] ?? NaN), Number(found?.[2] ?? NaN)];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** What must be mended before the report can be asked for, by field. */
export function faultsOf(draft: Draft): { geo?: string } {
  return isFilled(draft.geo) && !readGeo(draft.geo)
    ? { geo: 'Write latitude and longitude in degrees, such as 51.501364, -0.141890.' }
    : {};
}

/** The body of the render. What is empty is left out; what is filled in goes as it was typed. */
export function renderBody(
  { flowId, sessionId }: Pick<Place, 'flowId' | 'sessionId'>,
  draft: Draft,
  { mail = false } = {},
): object {
  const texts = ['reportType', 'propertyNo', 'address', 'postcode', 'company', 'assessor', 'tenant', 'logo'];
  const keyDetails = filled(draft, ['numberOfKeys', 'takenFrom', 'handedTo']);
  const comments = commentsOf(draft);
  const to = draft.emailTo.split(/[,;\s]+/).filter((address) => address !== '');
  const geo = readGeo(draft.geo);
  return {
    templateId: 'inspection',
    source: {
      type: 'inspection',
      sessionId,
      flowId,
      meta: {
        ...filled(draft, texts),
        guided: draft.guided,
        ...(geo ? { geo } : {}),
        ...(Object.keys(keyDetails).length > 0 ? { keyDetails } : {}),
        ...(draft.skipped.length > 0 ? { skippedAreas: draft.skipped.join('|') } : {}),
        ...(comments.size > 0 ? { areaComments: Object.fromEntries(comments) } : {}),
      },
      ...(expectsAreas(draft) && draft.completeness === 'require' ? { requireComplete: true } : {}),
      ...(expectsAreas(draft) && draft.completeness === 'force' ? { forceFinish: true } : {}),
    },
    ...(mail && to.length > 0 ? { delivery: { email: { to } } } : {}),
  };
}

function commentsOf({ comments }: Draft): Map<string, string[]> {
  const byArea = new Map<string, string[]>();
  for (const { area, text } of comments)
    if (isFilled(area) && isFilled(text)) byArea.set(area, [...(byArea.get(area) ?? []), text]);
  return byArea;
}

const filled = (draft: Draft, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => names.includes(name) && isFilled(value)),
  );

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** A draft that was kept, by this version of the page or another: what is not of its kind is left out. */
export function draftIn(kept: unknown): Draft {
  if (typeof kept !== 'object' || kept === null) return EMPTY_DRAFT;
  const known = Object.entries(EMPTY_DRAFT).flatMap(([name, empty]) => {
    const value = (kept as Record<string, unknown>)[name];
    const same = typeof value === typeof empty && Array.isArray(value) === Array.isArray(empty);
    return same ? [[name, value] as const] : [];
  });
  return { ...EMPTY_DRAFT, ...Object.fromEntries(known) };
}
