import type { Camera } from '../../api/inspections.js';
import { isoTime } from '../../common/clock.js';
import type { SqlReader } from '../../database/tx.js';
import type { AreaType, ServiceArea } from '../areas/area-type.js';
import { correctionsOf } from '../corrections/corrected-views.js';
import type { Columns } from '../corrections/subject.js';
import { type FactRow, recordedFact } from '../facts/record-facts.js';
import type {
  CorrectionInput,
  FactInput,
  ReportInput,
  PhotographInput,
  RemarkInput,
  WithdrawnRemark,
} from '../report/report-input.js';
import type { Claim, HeldInput } from './claim.js';

/** The columns of a photograph that a report needs. */
interface PhotographRow {
  id: string;
  flow_id: string;
  area_key: string;
  area_name: string;
  area_type: AreaType;
  service: ServiceArea | null;
  captured_at: number;
  source: 'captureTs' | 'server';
  received_at: number;
  arrival: number;
  caption: string | null;
  camera: string | null;
  width: number;
  height: number;
  rendition_key: string | null;
  rendition_sha256: string | null;
  rendition_bytes: number | null;
  sha256: string;
  bytes: number;
  perceptual_hash: string | null;
  partly_read: number;
  turn: number;
  withdrawn_at: number | null;
}

/** A print that was turned for a correction. */
interface TurnedRow {
  photograph_id: string;
  turn: number;
  storage_key: string;
  sha256: string;
  bytes: number;
}

const PHOTOGRAPHS = `SELECT id, flow_id, area_key, area_name, area_type, service, captured_at, source, received_at,
  arrival, caption, camera, width, height, rendition_key, rendition_sha256, rendition_bytes, sha256, bytes,
  perceptual_hash, partly_read, turn, withdrawn_at FROM photographs WHERE claim_id = ? ORDER BY arrival, id`;

const TURNED = `SELECT photograph_id, turn, storage_key, sha256, bytes FROM turned_prints
  WHERE photograph_id IN (SELECT id FROM photographs WHERE claim_id = ?)`;

const REMARKS = `SELECT id, area_name, area_type, text, recorded_at, withdrawn_at FROM remarks WHERE claim_id = ?
  ORDER BY arrival, id`;

/** Reads the records of a claim in the state of the claim's edition. */
export async function readHeld(reader: SqlReader, claim: Claim): Promise<HeldInput> {
  const view = await editionView(reader, claim);
  return { ...(await contentsOf(reader, view)), ...(await factsOfClaim(reader, view)) };
}

/** The photographs and remarks of a claim, in order of arrival. */
async function contentsOf(
  reader: SqlReader,
  view: EditionView,
): Promise<Pick<ReportInput, 'photographs' | 'remarks' | 'withdrawn' | 'withdrawnRemarks'>> {
  const rowsOf = async <Row extends { id: string }>(sql: string) =>
    (await reader.all<Row>(sql, [view.claimId])).map((row) => view.apply(row));
  const photographs = await rowsOf<PhotographRow>(PHOTOGRAPHS);
  const remarks = await rowsOf<RemarkRow>(REMARKS);
  const retracted = remarks.filter((row) => row.withdrawn_at !== null);
  const byId = await view.correctionsOf([...photographs, ...retracted].map(({ id }) => id));
  const isTurned = photographs.some(({ turn }) => turn !== 0);
  const prints = isTurned ? await reader.all<TurnedRow>(TURNED, [view.claimId]) : [];
  const turned = new Map(prints.map((print) => [`${print.photograph_id} ${print.turn}`, print]));
  const printOf = ({ id, turn }: PhotographRow) => turned.get(`${id} ${turn}`);
  const ordered = inOneOrder(photographs);
  const input = (row: PhotographRow) => ({
    ...photographInput(row, printOf(row)),
    ...correctedBy(byId.get(row.id)),
  });
  return {
    photographs: ordered.filter((row) => row.withdrawn_at === null).map(input),
    remarks: remarks.filter((row) => row.withdrawn_at === null).map(remarkInput),
    withdrawn: ordered.filter((row) => row.withdrawn_at !== null).map(input),
    ...(retracted.length === 0
      ? {}
      : { withdrawnRemarks: retracted.map((row) => withdrawnRemark(row, byId.get(row.id))) }),
  };
}

const withdrawnRemark = (
  { id, area_name, text, recorded_at, withdrawn_at }: RemarkRow,
  corrections: readonly CorrectionInput[] | undefined,
): WithdrawnRemark => ({
  ...{ id, areaName: area_name, text, recordedAt: recorded_at, withdrawnAt: withdrawn_at ?? recorded_at },
  ...correctedBy(corrections),
});

const correctedBy = (corrections: readonly CorrectionInput[] | undefined) =>
  corrections === undefined ? {} : { corrections };

/** Renumbers photographs of several flows by time of receipt, because arrivals are counted per flow. */
function inOneOrder(rows: PhotographRow[]): PhotographRow[] {
  if (rows.every((row) => row.flow_id === rows[0]?.flow_id)) return rows;
  const sorted = [...rows].sort((one, other) => one.received_at - other.received_at);
  return sorted.map((row, arrival) => ({ ...row, arrival }));
}

interface RemarkRow {
  id: string;
  recorded_at: number;
  withdrawn_at: number | null;
  area_name: string;
  area_type: AreaType | null;
  text: string;
}

const photographInput = (row: PhotographRow, turned: TurnedRow | undefined): PhotographInput => ({
  id: row.id,
  areaKey: row.area_key,
  areaName: row.area_name,
  areaType: row.area_type,
  ...(row.service === null ? {} : { service: row.service }),
  capturedAt: row.captured_at,
  source: row.source,
  receivedAt: row.received_at,
  arrival: row.arrival,
  ...(row.caption === null ? {} : { caption: row.caption }),
  ...(row.partly_read === 0 ? {} : { partlyRead: true as const }),
  ...(row.camera === null ? {} : { camera: JSON.parse(row.camera) as Camera }),
  ...printed(row, turned),
  sha256: row.sha256,
  bytes: row.bytes,
  // The hash is valid for the unturned picture only.
  ...(row.perceptual_hash === null || row.turn !== 0 ? {} : { look: row.perceptual_hash }),
});

/** Returns the print, turned if corrected so; for a photograph without one, the shape of its placeholder. */
function printed(
  row: PhotographRow,
  turned: TurnedRow | undefined,
): Pick<
  PhotographInput,
  'width' | 'height' | 'rendition' | 'renditionSha256' | 'renditionBytes' | 'turn' | 'withdrawnAt'
> {
  const lies = row.turn % 180 !== 0;
  const print =
    row.turn === 0
      ? { key: row.rendition_key, sha256: row.rendition_sha256, bytes: row.rendition_bytes }
      : { key: turned?.storage_key ?? null, sha256: turned?.sha256 ?? null, bytes: turned?.bytes ?? null };
  return {
    width: lies ? row.height : row.width,
    height: lies ? row.width : row.height,
    rendition: print.key,
    renditionSha256: print.sha256,
    ...(print.bytes === null ? {} : { renditionBytes: print.bytes }),
    ...(row.turn === 0 ? {} : { turn: row.turn }),
    ...(row.withdrawn_at === null ? {} : { withdrawnAt: row.withdrawn_at }),
  };
}

const remarkInput = (row: RemarkRow): RemarkInput => ({
  areaName: row.area_name,
  ...(row.area_type === null ? {} : { areaType: row.area_type }),
  text: row.text,
});

interface ClaimedRow extends FactRow {
  recorded_at: number;
  withdrawn_at: number | null;
}

/** Returns the facts of a claim in order of arrival, withdrawn ones apart; a member is absent if it has none. */
async function factsOfClaim(
  reader: SqlReader,
  view: EditionView,
): Promise<Pick<ReportInput, 'facts' | 'withdrawnFacts'>> {
  const stored = await reader.all<ClaimedRow>(
    `SELECT id, kind, area_name, area_type, words, photographs, recorded_at, withdrawn_at FROM facts
     WHERE claim_id = ? ORDER BY arrival, id`,
    [view.claimId],
  );
  const rows = stored.map((row) => view.apply(row));
  const byId = await view.correctionsOf(rows.map(({ id }) => id));
  const inputs = rows.map((row): FactInput => {
    const { id, kind, area: areaName, areaType, fact, photographs } = recordedFact(row);
    const corrections = byId.get(id);
    return {
      ...{ id, kind, areaName, areaType, fact, photographs, recordedAt: row.recorded_at },
      ...(row.withdrawn_at === null ? {} : { withdrawnAt: row.withdrawn_at }),
      ...(corrections === undefined ? {} : { corrections }),
    };
  });
  const facts = inputs.filter(({ withdrawnAt }) => withdrawnAt === undefined);
  const withdrawnFacts = inputs.filter(({ withdrawnAt }) => withdrawnAt !== undefined);
  return {
    ...(facts.length === 0 ? {} : { facts }),
    ...(withdrawnFacts.length === 0 ? {} : { withdrawnFacts }),
  };
}

/** The records of a claim in one edition of its report, without the corrections of later editions. */
interface EditionView {
  /** The claim that holds the records. */
  readonly claimId: string;
  /** Applies the columns of that edition to a row. */
  apply<Row extends { id: string }>(row: Row): Row;
  /** Returns the corrections of each of these records up to that edition, oldest first. */
  correctionsOf(ids: readonly string[]): Promise<Map<string, CorrectionInput[]>>;
}

const LATER = `SELECT subject_id, was FROM corrected_items JOIN corrections ON corrections.id = correction_id
  WHERE claim_id = ? AND edition > ? ORDER BY edition DESC`;

/**
 * Returns the view of an edition. Rows hold the newest settled edition: for an older one, reverts later corrections,
 * newest first; for one being drawn, applies its own.
 */
async function editionView(
  reader: SqlReader,
  { id, state, createdAt, edition }: Pick<Claim, 'id' | 'state' | 'createdAt' | 'edition'>,
): Promise<EditionView> {
  const claimId = edition?.baseClaimId ?? id;
  const number = edition?.number ?? 1;
  const columnsOf = new Map<string, Columns>();
  const lay = (subject: string, columns: Columns) =>
    columnsOf.set(subject, { ...columnsOf.get(subject), ...columns });
  const later = await reader.all<{ subject_id: string; was: string }>(LATER, [claimId, number]);
  for (const { subject_id, was } of later) lay(subject_id, JSON.parse(was) as Columns);
  const own = state === 'settled' ? [] : (edition?.items ?? []);
  for (const item of own) lay(item.id, item.next);
  return {
    claimId,
    apply: (row) => ({ ...row, ...columnsOf.get(row.id) }),
    correctionsOf: async (ids) => {
      const byId: Map<string, CorrectionInput[]> = await correctionsOf(reader, ids, number);
      const wanted = new Set(ids);
      for (const { id: subject, change, reason } of own) {
        if (!wanted.has(subject)) continue;
        const one = { at: isoTime(createdAt), by: edition!.by, change, reason };
        byId.set(subject, [...(byId.get(subject) ?? []), one]);
      }
      return byId;
    },
  };
}
