import { FACT_MEMBERS_OF } from '../../../../../src/api/inspection-terms.js';
import type { Fact, Photograph, Remark, Session } from '../../../../../src/api/inspections.js';
import type { ReportView } from '../../../../../src/api/reports.js';
import { factMemberText } from '../../../../common/fact-members.js';
import { FIELD_NAMES, fieldText, memberOf, type MetaField } from '../../../../common/meta-fields.js';
import { readMegabytes } from '../draft.js';

/** A field of a member of `meta` that the form corrects. */
export type EditionField = Exclude<MetaField, 'logo' | 'guided'>;

export const EDITION_FIELDS = FIELD_NAMES.filter(
  (name): name is EditionField => name !== 'logo' && name !== 'guided',
);

export type Recorded =
  | { kind: 'photograph'; entry: Photograph }
  | { kind: 'remark'; entry: Remark }
  | { kind: 'fact'; entry: Fact };

/** The values of a record in the form: its texts, and whether it is withdrawn. */
export interface RecordValues {
  readonly withdrawn: boolean;
  readonly texts: Readonly<Record<string, string>>;
}

/** The form of a new edition. */
export interface EditionDraft {
  readonly reason: string;
  /** The changed details; an empty one is left out of the report. */
  readonly meta: Partial<Record<EditionField, string>>;
  /** The maximum file size, if changed. */
  readonly maxMegabytes?: string;
  /** The changed records by `keyOf`. */
  readonly records: ReadonlyMap<string, RecordValues>;
}

export const EMPTY_EDITION: EditionDraft = { reason: '', meta: {}, records: new Map() };

/** Returns the texts of the form's fields from the details of the report. */
export const printedIn = (details: Record<string, unknown>): EditionDraft['meta'] =>
  Object.fromEntries(
    EDITION_FIELDS.flatMap((name) => {
      const text = fieldText(details, name);
      return text === '' ? [] : [[name, text]];
    }),
  );

export const keyOf = ({ kind, entry }: Recorded): string => `${kind} ${entry.id}`;

/** Returns the current values of a record. A photograph’s `turn` is relative: `90`, `180` or `270`. */
export function valuesOf({ kind, entry }: Recorded): RecordValues {
  const withdrawn = entry.withdrawnAt !== null;
  const { area } = entry;
  if (kind === 'photograph') return { withdrawn, texts: { area, caption: entry.caption ?? '', turn: '' } };
  if (kind === 'remark') return { withdrawn, texts: { text: entry.text, area } };
  const words = FACT_MEMBERS_OF[entry.kind].map((name) => [name, factMemberText(entry.fact[name])]);
  return { withdrawn, texts: { ...(Object.fromEntries(words) as Record<string, string>), area } };
}

/** Returns the first edition of a report. */
export function firstOf(report: ReportView, reports: readonly ReportView[]): ReportView {
  const before = reports.find(({ id }) => id === report.replaces);
  return before ? firstOf(before, reports) : report;
}

/** Returns the newest edition of a report. */
export function newestOf(report: ReportView, reports: readonly ReportView[]): ReportView {
  const next = reports.find(({ replaces }) => replaces === report.id);
  return next ? newestOf(next, reports) : report;
}

/** Returns the records of a report, in the session's order. */
export function recordsOf(report: ReportView, reports: readonly ReportView[], session: Session): Recorded[] {
  const { id } = firstOf(report, reports);
  const taken = <Of extends { reportId: string | null }>(records: readonly Of[]) =>
    records.filter(({ reportId }) => reportId === id);
  return [
    ...taken(session.photographs).map((entry) => ({ kind: 'photograph' as const, entry })),
    ...taken(session.remarks).map((entry) => ({ kind: 'remark' as const, entry })),
    ...taken(session.facts).map((entry) => ({ kind: 'fact' as const, entry })),
  ];
}

/** Returns the fault of a record; undefined when it can be sent. A withdrawn record has none. */
export function faultOf(
  record: Recorded,
  { withdrawn, texts }: RecordValues,
): { name: string; fault: string } | undefined {
  const needed = { photograph: 'area', remark: 'text', fact: Object.keys(texts)[0]! }[record.kind];
  const empty = [needed, 'area'].find((name) => texts[name]?.trim() === '');
  if (withdrawn || empty === undefined) return undefined;
  return {
    name: empty,
    fault: empty === 'area' ? 'Enter the name of an area.' : 'Enter a value, or withdraw the record.',
  };
}

/** The current values of the report, besides its records. */
interface Standing {
  readonly details?: Record<string, unknown>;
  readonly maxBytes?: number | null | undefined;
}

/** Returns the form's maximum size in megabytes. */
export const sizeIn = ({ maxMegabytes }: EditionDraft, maxBytes: number | undefined): string =>
  maxMegabytes ?? (maxBytes === undefined ? '' : String(maxBytes / 1_000_000));

/** Builds the request body of the edition, with only the differences. */
export function editionBody(
  draft: EditionDraft,
  records: readonly Recorded[],
  { details = {}, maxBytes = null }: Standing = {},
): object {
  const corrections = records.flatMap((record) => {
    const changed = draft.records.get(keyOf(record));
    const change = changed ? changeOf(valuesOf(record), changed) : {};
    return Object.keys(change).length === 0 ? [] : [{ [`${record.kind}Id`]: record.entry.id, ...change }];
  });
  const meta = changedMeta(draft.meta, details);
  const size = draft.maxMegabytes === undefined ? maxBytes : readMegabytes(draft.maxMegabytes);
  return {
    reason: draft.reason.trim(),
    ...(size === maxBytes ? {} : { maxBytes: size }),
    ...(Object.keys(meta).length === 0 ? {} : { meta }),
    ...(corrections.length === 0 ? {} : { corrections }),
  };
}

/** Returns the members whose fields differ from the details of the report; a text on one line stays as it was typed. */
function changedMeta(typed: EditionDraft['meta'], details: Record<string, unknown>): Record<string, unknown> {
  const [printed, members, changed] = [printedIn(details), { ...details }, {} as Record<string, unknown>];
  for (const [field, text] of Object.entries(typed) as [EditionField, string][]) {
    if (text === (printed[field] ?? '')) continue;
    const [name, value] = memberOf(members, field, text);
    members[name] = changed[name] = value === text.trim() ? text : value;
  }
  return changed;
}

function changeOf(before: RecordValues, after: RecordValues): Record<string, unknown> {
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
