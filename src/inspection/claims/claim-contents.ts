import type { Camera } from '../../api/inspections.js';
import type { SqlReader } from '../../database/tx.js';
import type { AreaType, ServiceArea } from '../areas/area-type.js';
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
import { type EditionView, editionView } from './edition-view.js';

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
  claim_id: string;
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
  perceptual_hash, partly_read, turn, withdrawn_at, claim_id FROM photographs`;

const TURNED = 'SELECT photograph_id, turn, storage_key, sha256, bytes FROM turned_prints';

const REMARKS = 'SELECT id, area_name, area_type, text, recorded_at, withdrawn_at, claim_id FROM remarks';

const FACTS =
  'SELECT id, kind, area_name, area_type, words, photographs, recorded_at, withdrawn_at, claim_id FROM facts';

/** Reads the records of a claim in the state of the claim's edition. */
export async function readHeld(reader: SqlReader, claim: Claim): Promise<HeldInput> {
  const view = await editionView(reader, claim);
  return { ...(await contentsOf(reader, view)), ...(await factsOfClaim(view)) };
}

/** The photographs and remarks of a claim, in order of arrival. */
async function contentsOf(
  reader: SqlReader,
  view: EditionView,
): Promise<Pick<ReportInput, 'photographs' | 'remarks' | 'withdrawn' | 'withdrawnRemarks'>> {
  const photographs = await view.rows<PhotographRow>(PHOTOGRAPHS);
  const remarks = await view.rows<RemarkRow>(REMARKS);
  const retracted = remarks.filter((row) => row.withdrawn_at !== null);
  const byId = await view.correctionsOf([...photographs, ...remarks].map(({ id }) => id));
  const isTurned = photographs.some(({ turn }) => turn !== 0);
  const held = `photograph_id IN (SELECT id FROM photographs WHERE ${view.held})`;
  const prints = isTurned ? await reader.all<TurnedRow>(`${TURNED} WHERE ${held}`, view.claimIds) : [];
  const turned = new Map(prints.map((print) => [`${print.photograph_id} ${print.turn}`, print]));
  const printOf = ({ id, turn }: PhotographRow) => turned.get(`${id} ${turn}`);
  const ordered = inOneOrder(photographs);
  const input = (row: PhotographRow) => ({
    ...photographInput(row, printOf(row)),
    ...correctedBy(byId.get(row.id)),
    ...view.addition(row),
  });
  return {
    photographs: ordered.filter((row) => row.withdrawn_at === null).map(input),
    remarks: remarks
      .filter((row) => row.withdrawn_at === null)
      .map((row) => ({ ...remarkInput(row, byId.get(row.id)), ...view.addition(row) })),
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
  claim_id: string;
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

const remarkInput = (
  { id, area_name, area_type, text, recorded_at }: RemarkRow,
  corrections: readonly CorrectionInput[] | undefined,
): RemarkInput => ({
  areaName: area_name,
  ...(area_type === null ? {} : { areaType: area_type }),
  text,
  evidence: { id, recordedAt: recorded_at, ...correctedBy(corrections) },
});

interface ClaimedRow extends FactRow {
  claim_id: string;
  recorded_at: number;
  withdrawn_at: number | null;
}

/** Returns the facts of a claim in order of arrival, withdrawn ones apart; a member is absent if it has none. */
async function factsOfClaim(view: EditionView): Promise<Pick<ReportInput, 'facts' | 'withdrawnFacts'>> {
  const rows = await view.rows<ClaimedRow>(FACTS);
  const byId = await view.correctionsOf(rows.map(({ id }) => id));
  const inputs = rows.map((row): FactInput => {
    const { id, kind, area: areaName, areaType, fact, photographs } = recordedFact(row);
    const corrections = byId.get(id);
    return {
      ...{ id, kind, areaName, areaType, fact, photographs, recordedAt: row.recorded_at },
      ...(row.withdrawn_at === null ? {} : { withdrawnAt: row.withdrawn_at }),
      ...(corrections === undefined ? {} : { corrections }),
      ...view.addition(row),
    };
  });
  const facts = inputs.filter(({ withdrawnAt }) => withdrawnAt === undefined);
  const withdrawnFacts = inputs.filter(({ withdrawnAt }) => withdrawnAt !== undefined);
  return {
    ...(facts.length === 0 ? {} : { facts }),
    ...(withdrawnFacts.length === 0 ? {} : { withdrawnFacts }),
  };
}
