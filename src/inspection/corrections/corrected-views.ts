import type {
  Change,
  CorrectedFact,
  CorrectedPhotograph,
  CorrectedRecords,
  Correction,
} from '../../api/corrections.js';
import type { TimeSource, QuarterTurn } from '../../api/inspection-terms.js';
import { isoTime } from '../../common/iso-time.js';
import type { SqlReader } from '../../database/tx.js';
import type { AreaType } from '../areas/area-type.js';
import type { FactKind, FactWords } from '../facts/fact.js';
import type { SubjectKind } from './subject.js';

interface Row {
  id: string;
  flow_id: string;
  session_id: string;
  area_name: string;
  area_type: AreaType;
  withdrawn_at: number | null;
  claim_id: string | null;
}

interface PhotographRow extends Row {
  caption: string | null;
  turn: QuarterTurn;
  captured_at: number;
  source: TimeSource;
  received_at: number;
  sha256: string;
}

interface RemarkRow extends Row {
  text: string;
  recorded_at: number;
}

interface FactRow extends Row {
  kind: FactKind;
  words: string;
  photographs: string;
  recorded_at: number;
}

const COLUMNS = 'id, flow_id, session_id, area_name, area_type, withdrawn_at, claim_id';
const PHOTOGRAPHS = `SELECT ${COLUMNS}, caption, turn, captured_at, source, received_at, sha256 FROM photographs`;
const REMARKS = `SELECT ${COLUMNS}, text, recorded_at FROM remarks`;
const FACTS = `SELECT ${COLUMNS}, kind, words, photographs, recorded_at FROM facts`;

/** Returns the records with these ids. */
export async function correctedRecords(
  reader: SqlReader,
  subjects: readonly { readonly kind: SubjectKind; readonly id: string }[],
): Promise<CorrectedRecords> {
  const idsOf = (wanted: SubjectKind) => subjects.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  const of = <Found>(sql: string, ids: readonly string[]): Promise<Found[]> =>
    ids.length === 0
      ? Promise.resolve([])
      : reader.all<Found>(`${sql} WHERE id IN (${marks(ids)}) ORDER BY arrival, id`, ids);
  const photographs = await of<PhotographRow>(PHOTOGRAPHS, idsOf('photograph'));
  const remarks = await of<RemarkRow>(REMARKS, idsOf('remark'));
  const facts = await of<FactRow>(FACTS, idsOf('fact'));
  const byId = await correctionsOf(
    reader,
    [...photographs, ...remarks, ...facts].map(({ id }) => id),
  );
  return {
    photographs: photographs.map((row) => photographView(row, byId.get(row.id) ?? [])),
    remarks: remarks.map((row) => ({
      ...recordView(row, byId.get(row.id) ?? []),
      text: row.text,
      recordedAt: isoTime(row.recorded_at),
    })),
    facts: facts.map((row) => factView(row, byId.get(row.id) ?? [])),
  };
}

function photographView(row: PhotographRow, corrections: Correction[]): CorrectedPhotograph {
  const { corrections: list, ...common } = recordView(row, corrections);
  return {
    ...common,
    ...(row.caption === null ? {} : { caption: row.caption }),
    turn: row.turn,
    capturedAt: isoTime(row.captured_at),
    source: row.source,
    receivedAt: isoTime(row.received_at),
    sha256: row.sha256,
    corrections: list,
  };
}

const factView = (row: FactRow, corrections: Correction[]): CorrectedFact => ({
  ...recordView(row, corrections),
  kind: row.kind,
  fact: JSON.parse(row.words) as FactWords,
  photographs: JSON.parse(row.photographs) as string[],
  recordedAt: isoTime(row.recorded_at),
});

const recordView = (row: Row, corrections: Correction[]) => ({
  id: row.id,
  flowId: row.flow_id,
  sessionId: row.session_id,
  area: row.area_name,
  areaType: row.area_type,
  ...(row.withdrawn_at === null ? {} : { withdrawnAt: isoTime(row.withdrawn_at) }),
  pending: row.claim_id === null && row.withdrawn_at === null,
  corrections,
});

const AT_ONCE = 200;
/** The largest value of the column. */
const LAST_EDITION = 2 ** 31 - 1;

/** Returns the corrections of each of these records, oldest first, up to an edition of their report if given. */
export async function correctionsOf(
  reader: SqlReader,
  ids: readonly string[],
  edition = LAST_EDITION,
): Promise<Map<string, Correction[]>> {
  const byId = new Map<string, Correction[]>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const group = ids.slice(from, from + AT_ONCE);
    const rows = await reader.all<{
      subject_id: string;
      change: string;
      made_at: number;
      made_by: string;
      reason: string | null;
    }>(
      `SELECT subject_id, change, made_at, made_by, reason FROM corrected_items
       JOIN corrections ON corrections.id = corrected_items.correction_id
       WHERE subject_id IN (${marks(group)}) AND (edition IS NULL OR edition <= ?) ORDER BY number`,
      [...group, edition],
    );
    for (const { subject_id, change, made_at, made_by, reason } of rows) {
      const view = { at: isoTime(made_at), by: made_by, change: JSON.parse(change) as Change };
      const one = byId.get(subject_id) ?? [];
      one.push({ ...view, ...(reason === null ? {} : { reason }) });
      byId.set(subject_id, one);
    }
  }
  return byId;
}

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/** Limits on the records in an answer: their number, and their JSON characters without corrections. */
const MOST_ANSWERED = 100;
const MOST_CHARACTERS = 65_536;

/** Returns the first of the records within the limits of an answer, at least one. */
export async function answeredRecords(
  reader: SqlReader,
  subjects: readonly { readonly kind: SubjectKind; readonly id: string }[],
): Promise<CorrectedRecords> {
  const { photographs, remarks, facts } = await correctedRecords(reader, subjects.slice(0, MOST_ANSWERED));
  let characters = 0;
  let count = 0;
  const fits = (record: { corrections: unknown[] }): boolean => {
    characters += JSON.stringify({ ...record, corrections: [] }).length;
    return count++ === 0 || characters <= MOST_CHARACTERS;
  };
  return { photographs: photographs.filter(fits), remarks: remarks.filter(fits), facts: facts.filter(fits) };
}
