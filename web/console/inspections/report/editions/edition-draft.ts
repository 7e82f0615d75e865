import type { ReportView } from '../../../../../src/api/reports.js';
import {
  META_MEMBERS,
  META_TEXTS,
  type MetaText,
} from '../../../../../src/inspection/report/meta-members.js';
import type { Fact, Photograph, Remark, Session } from '../../../api/types/inspections.js';
import { readMegabytes } from '../draft.js';

export type MetaName = Exclude<MetaText, 'logo'>;

/** The texts of `meta` that the form corrects, and their labels. */
export const META_LABELS = {
  ...(Object.fromEntries(
    META_TEXTS.filter((name) => name !== 'logo').map((name) => [name, META_MEMBERS[name].label]),
  ) as Record<MetaName, string>),
  reportType: 'Type',
};

export type Recorded =
  | { kind: 'photograph'; of: Photograph }
  | { kind: 'remark'; of: Remark }
  | { kind: 'fact'; of: Fact };

/** The sayings of a record that may be said anew, as a form holds them: texts, and whether it is withdrawn. */
export interface Said {
  readonly withdrawn: boolean;
  readonly texts: Readonly<Record<string, string>>;
}

/** A further edition as it is filled in. */
export interface EditionDraft {
  readonly reason: string;
  /** The details that were touched; an empty one is left out of the report. */
  readonly meta: Partial<Record<MetaName, string>>;
  /** Where it was touched: the most that the file may weigh. */
  readonly maxMegabytes?: string;
  /** By `keyOf`, the records that were touched, as they are to stand. */
  readonly records: ReadonlyMap<string, Said>;
}

export const EMPTY_EDITION: EditionDraft = { reason: '', meta: {}, records: new Map() };

/** The details of the form as the report prints them. */
export const printedIn = (details: Record<string, unknown>): Partial<Record<MetaName, string>> =>
  Object.fromEntries(
    Object.keys(META_LABELS).flatMap((name) => {
      const value = details[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

/** The members of each kind of fact; the first is what makes it one. */
const FACT_MEMBERS = {
  observation: ['item', 'condition', 'cleanliness', 'description'],
  reading: ['value', 'unit', 'serial'],
  keys: ['kind', 'count'],
  alarm: ['kind', 'place', 'tested', 'expires'],
};

export const keyOf = ({ kind, of }: Recorded): string => `${kind} ${of.id}`;

/** The record as it stands. A photograph’s `turn` is how it is to be turned from here: `90`, `180`, `270`. */
export function saidOf({ kind, of }: Recorded): Said {
  const withdrawn = of.withdrawnAt !== null;
  const { area } = of;
  if (kind === 'photograph') return { withdrawn, texts: { area, caption: of.caption ?? '', turn: '' } };
  if (kind === 'remark') return { withdrawn, texts: { text: of.text, area } };
  const words = FACT_MEMBERS[of.kind].map((name) => [name, String(of.fact[name] ?? '')]);
  return { withdrawn, texts: { ...(Object.fromEntries(words) as Record<string, string>), area } };
}

/** The report of the first edition of which this one was made. */
export function firstOf(report: ReportView, reports: readonly ReportView[]): ReportView {
  const before = reports.find(({ id }) => id === report.replaces);
  return before ? firstOf(before, reports) : report;
}

/** The newest edition of a report. */
export function newestOf(report: ReportView, reports: readonly ReportView[]): ReportView {
  const next = reports.find(({ replaces }) => replaces === report.id);
  return next ? newestOf(next, reports) : report;
}

/** The records that a report was made of, in the order of the session. */
export function recordsOf(report: ReportView, reports: readonly ReportView[], session: Session): Recorded[] {
  const { id } = firstOf(report, reports);
  const taken = <Of extends { reportId: string | null }>(records: readonly Of[]) =>
    records.filter(({ reportId }) => reportId === id);
  return [
    ...taken(session.photographs).map((of) => ({ kind: 'photograph' as const, of })),
    ...taken(session.remarks).map((of) => ({ kind: 'remark' as const, of })),
    ...taken(session.facts).map((of) => ({ kind: 'fact' as const, of })),
  ];
}

/** Why a record cannot be sent as it stands; nothing when it can. A withdrawn one says nothing that could be wrong. */
export function faultOf(
  record: Recorded,
  { withdrawn, texts }: Said,
): { name: string; fault: string } | undefined {
  const needed = { photograph: 'area', remark: 'text', fact: Object.keys(texts)[0]! }[record.kind];
  const empty = [needed, 'area'].find((name) => texts[name]?.trim() === '');
  if (withdrawn || empty === undefined) return undefined;
  return {
    name: empty,
    fault: empty === 'area' ? 'Enter the name of an area.' : 'Enter a value, or withdraw the record.',
  };
}

/** The report as it stands, beside its records. */
interface Standing {
  readonly details?: EditionDraft['meta'];
  readonly maxBytes?: number | null | undefined;
}

/** The size in the form, in megabytes. */
export const sizeIn = ({ maxMegabytes }: EditionDraft, maxBytes: number | undefined): string =>
  maxMegabytes ?? (maxBytes === undefined ? '' : String(maxBytes / 1_000_000));

/** The body of the edition: what differs from what stands, and nothing else. */
export function editionBody(
  draft: EditionDraft,
  records: readonly Recorded[],
  { details = {}, maxBytes = null }: Standing = {},
): object {
  const corrections = records.flatMap((record) => {
    const asked = draft.records.get(keyOf(record));
    const change = asked ? changeOf(saidOf(record), asked) : {};
    return Object.keys(change).length === 0 ? [] : [{ [`${record.kind}Id`]: record.of.id, ...change }];
  });
  const touched = Object.entries(draft.meta) as [MetaName, string][];
  const meta = touched
    .filter(([name, value]) => value !== (details[name] ?? ''))
    .map(([name, value]) => [name, value === '' ? null : value] as const);
  const size = draft.maxMegabytes === undefined ? maxBytes : readMegabytes(draft.maxMegabytes);
  return {
    reason: draft.reason.trim(),
    ...(size === maxBytes ? {} : { maxBytes: size }),
    ...(meta.length === 0 ? {} : { meta: Object.fromEntries(meta) }),
    ...(corrections.length === 0 ? {} : { corrections }),
  };
}

function changeOf(before: Said, after: Said): Record<string, unknown> {
  if (after.withdrawn) return before.withdrawn ? {} : { withdrawn: true };
  const texts = Object.entries(after.texts).filter(
    ([name, text]) => text.trim() !== before.texts[name]?.trim(),
  );
  return {
    ...Object.fromEntries(
      texts.map(([name, text]) => [name, name === 'turn' ? Number(text) : text.trim()] as const),
    ),
    ...(before.withdrawn ? { withdrawn: false } : {}),
  };
}
