import { createHash } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';
import type { Warnings } from '../../common/warnings.js';
import type { Tx } from '../../database/tx.js';
import type { AreaType } from '../areas/area-type.js';
import type { Area } from '../areas/classify-area.js';
import type { SessionAddress } from '../session.js';
import type { RecordedFact, SentFact } from './fact.js';

/** A call whose facts are recorded. */
export interface FactCall {
  flowId: string;
  sessionId: string;
  executionId: string;
  messageId?: string;
  facts?: readonly SentFact[];
}

/** The place and time of the recorded facts. Instants are epoch milliseconds. */
export interface FactPlace {
  area: Area;
  recordedAt: number;
  /** The arrival number of the first fact. */
  firstArrival: number;
  now: number;
  /** The photographs of the call, recorded now or earlier: index → id. */
  photographs: ReadonlyMap<number, string>;
}

/** Values per query. */
const AT_ONCE = 200;

const INSERT = `INSERT INTO facts (id, flow_id, session_id, area_key, area_name, area_type, kind, words, photographs,
  recorded_at, arrival, message_key, execution_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

/**
 * Returns deduplication keys of facts (contract section 5) from the batch's message id, the words, and the position among
 * equal facts. Null without a message id.
 */
export function factKeys({
  messageId,
  facts = [],
}: Pick<FactCall, 'messageId' | 'facts'>): (string | null)[] {
  const seen = new Map<string, number>();
  return facts.map(({ kind, words, photographs = null }) => {
    if (messageId === undefined) return null;
    const sent = JSON.stringify([messageId, kind, words, photographs]);
    const ordinal = seen.get(sent) ?? 0;
    seen.set(sent, ordinal + 1);
    return createHash('sha256').update(`${ordinal}\0${sent}`).digest('hex');
  });
}

/** Returns those facts of a call that are not yet recorded. */
export async function unrecordedFacts(tx: Tx, call: FactCall): Promise<SentFact[]> {
  const { facts = [] } = call;
  const keys = factKeys(call);
  const sent = keys.filter((key) => key !== null);
  const known = await foundIn(tx, call, { table: 'facts', column: 'message_key' }, sent);
  return facts.filter((_, index) => !known.has(keys[index] ?? ''));
}

/** Writes the rows of a call's facts and returns the facts; a duplicate is returned as first recorded. */
export async function recordFacts(
  tx: Tx,
  call: FactCall,
  place: FactPlace,
  warnings: Warnings,
): Promise<RecordedFact[]> {
  const { facts = [] } = call;
  const { area } = place;
  const keys = factKeys(call);
  const ids = facts.flatMap(({ photographs: named = [] }) =>
    named.filter((each) => typeof each === 'string'),
  );
  const named = await photographsNamed(tx, call, ids);
  const recorded: RecordedFact[] = [];
  for (const [index, sent] of facts.entries()) {
    const photographs = photographsOf(sent, place, named, warnings);
    const { kind, words } = sent;
    const fact: RecordedFact = {
      ...{
        id: uuidV7({ msecs: place.now }),
        kind,
        area: area.name,
        areaType: area.type,
        fact: words,
        photographs,
      },
    };
    const key = keys[index] ?? null;
    if (await insert(tx, call, place, { fact, arrival: place.firstArrival + index, key }))
      recorded.push(fact);
    else recorded.push({ ...(await recordedBefore(tx, call, key ?? ''))!, duplicate: true });
    if (kind !== 'observation' && area.service === undefined)
      warnings.add({ code: 'no_service_area', message: NO_SERVICE[kind], path: sent.path });
  }
  return recorded;
}

const NO_SERVICE = {
  reading:
    'The reading was recorded, but under no meter: name the meter as its area to take it off the outstanding ones.',
  keys: 'The keys were recorded, but not under Keys: name that area to take it off the outstanding ones.',
  alarm:
    'The alarm was recorded, but not under Detectors: name that area to take it off the outstanding ones.',
};

async function insert(
  tx: Tx,
  { flowId, sessionId, executionId }: FactCall,
  { area, recordedAt }: FactPlace,
  { fact, arrival, key }: { fact: RecordedFact; arrival: number; key: string | null },
): Promise<boolean> {
  const inserted = await tx.run(INSERT, [
    ...[fact.id, flowId, sessionId, area.key, area.name, area.type, fact.kind],
    ...[JSON.stringify(fact.fact), JSON.stringify(fact.photographs)],
    ...[recordedAt, arrival, key, executionId],
  ]);
  return inserted === 1;
}

async function recordedBefore(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  key: string,
): Promise<RecordedFact | undefined> {
  const row = await tx.one<FactRow>(
    `SELECT id, kind, area_name, area_type, words, photographs FROM facts
     WHERE flow_id = ? AND session_id = ? AND message_key = ?`,
    [flowId, sessionId, key],
  );
  return row && recordedFact(row);
}

/** The columns of a fact that answers need. */
export interface FactRow {
  id: string;
  kind: RecordedFact['kind'];
  area_name: string;
  area_type: AreaType;
  words: string;
  photographs: string;
}

export const recordedFact = (row: FactRow): RecordedFact => ({
  id: row.id,
  kind: row.kind,
  area: row.area_name,
  areaType: row.area_type,
  fact: JSON.parse(row.words) as RecordedFact['fact'],
  photographs: JSON.parse(row.photographs) as string[],
});

/** Returns those ids that are photographs of the session. */
export const photographsNamed = (
  tx: Tx,
  session: SessionAddress,
  sent: readonly string[],
): Promise<ReadonlySet<string>> =>
  foundIn(tx, session, { table: 'photographs', column: 'id' }, [...new Set(sent)]);

/** Returns those values that a column of the session's rows holds. */
async function foundIn(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  { table, column }: { table: 'facts' | 'photographs'; column: 'id' | 'message_key' },
  values: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let from = 0; from < values.length; from += AT_ONCE) {
    const some = values.slice(from, from + AT_ONCE);
    const rows = await tx.all<{ value: string }>(
      `SELECT ${column} AS value FROM ${table}
       WHERE flow_id = ? AND session_id = ? AND ${column} IN (${some.map(() => '?').join(', ')})`,
      [flowId, sessionId, ...some],
    );
    for (const { value } of rows) found.add(value);
  }
  return found;
}

/** Returns the distinct photograph ids of a fact. A reading, keys or an alarm that names none gets those of the call. */
function photographsOf(
  { kind, photographs, path }: SentFact,
  call: Pick<FactPlace, 'photographs'>,
  named: ReadonlySet<string>,
  warnings: Warnings,
): string[] {
  if (photographs === undefined) return kind === 'observation' ? [] : [...call.photographs.values()];
  const ids = photographs.flatMap((each, index) => {
    const id = typeof each === 'number' ? call.photographs.get(each) : named.has(each) ? each : undefined;
    if (id !== undefined) return id;
    warnings.add({ ...UNKNOWN_PHOTOGRAPH, path: `${path}.photographs[${index}]` });
    return [];
  });
  return [...new Set(ids)];
}

const UNKNOWN_PHOTOGRAPH = {
  code: 'unknown_photograph',
  message:
    'This is no photograph that this call recorded, by its index, nor one of this inspection, by its id; it was left out.',
};
