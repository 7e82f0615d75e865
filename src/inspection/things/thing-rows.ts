import type { ThingKind } from '../../api/things.js';
import type { SqlReader, SqlValue } from '../../database/tx.js';
import { SERVICE_AREA_TITLES, type AreaType, type ServiceArea } from '../areas/area-type.js';
import { ABSENCE_NOTE } from '../areas/skipped-areas.js';
import type { DetailValue } from '../details/read-details.js';
import { factText } from '../facts/fact-text.js';
import type { FactKind, FactWords } from '../facts/fact.js';
import { META_MEMBERS, type MetaName } from '../report/meta-members.js';

/** A recorded thing as text. */
export interface Thing {
  readonly kind: ThingKind;
  readonly id: string;
  /** Null for a detail. */
  readonly area: string | null;
  readonly areaType?: AreaType;
  readonly text?: string;
  readonly executionId: string | null;
  readonly claimed: boolean;
}

/** The tables of things. */
export type ThingTable = 'photographs' | 'remarks' | 'facts' | 'detail_changes';

interface Common {
  id: string;
  execution_id: string | null;
  claim_id: string | null;
}

interface InArea extends Common {
  area_name: string;
  area_type: AreaType;
}

const COMMON = 'id, execution_id, claim_id, area_name, area_type';

/** Reads things of one table by their ids. */
const READERS: {
  readonly [Table in ThingTable]: (reader: SqlReader, ids: readonly string[]) => Promise<Thing[]>;
} = {
  photographs: async (reader, ids) => {
    const sql = `SELECT ${COMMON}, caption FROM photographs`;
    const rows = await byId<InArea & { caption: string | null }>(reader, sql, ids);
    return rows.map((row) => ({
      ...{ kind: 'photograph', ...inArea(row) },
      ...(row.caption === null ? {} : { text: row.caption }),
    }));
  },
  remarks: async (reader, ids) => {
    const rows = await byId<InArea & { text: string }>(reader, `SELECT ${COMMON}, text FROM remarks`, ids);
    return rows.map((row) => ({ kind: 'remark', ...inArea(row), text: row.text }));
  },
  facts: async (reader, ids) => {
    const sql = `SELECT ${COMMON}, kind, words FROM facts`;
    const rows = await byId<InArea & { kind: FactKind; words: string }>(reader, sql, ids);
    return rows.map((row) => ({
      ...{ kind: row.kind, ...inArea(row) },
      text: factText(row.kind, JSON.parse(row.words) as FactWords),
    }));
  },
  detail_changes: async (reader, ids) => {
    const sql = 'SELECT id, execution_id, claim_id, name, service, value, was FROM detail_changes';
    const rows = await byId<DetailRow>(reader, sql, ids);
    return rows.map(detailThing);
  },
};

interface DetailRow extends Common {
  name: string;
  service: ServiceArea | '';
  value: string | null;
  was: string | null;
}

function detailThing(row: DetailRow): Thing {
  const { id, execution_id: executionId, service, name } = row;
  const common = { id, executionId, claimed: row.claim_id !== null };
  if (service !== '')
    return {
      ...{ ...common, kind: 'absence', text: ABSENCE_NOTE },
      ...{ area: SERVICE_AREA_TITLES[service], areaType: 'service' },
    };
  const value = JSON.parse(row.value ?? row.was ?? '""') as DetailValue;
  return { ...common, kind: 'detail', area: null, text: detailText(name, value) };
}

const inArea = ({ id, area_name: area, area_type: areaType, execution_id, claim_id }: InArea) => ({
  ...{ id, area, areaType, executionId: execution_id },
  claimed: claim_id !== null,
});

const AT_ONCE = 200;

async function byId<Row>(reader: SqlReader, sql: string, ids: readonly string[]): Promise<Row[]> {
  const found: Row[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const group: readonly SqlValue[] = ids.slice(from, from + AT_ONCE);
    found.push(...(await reader.all<Row>(`${sql} WHERE id IN (${group.map(() => '?').join(', ')})`, group)));
  }
  return found;
}

/** Reads these things in the given order. */
export async function thingsOf(
  reader: SqlReader,
  named: readonly { readonly table: ThingTable; readonly id: string }[],
): Promise<Thing[]> {
  const found = new Map<string, Thing>();
  for (const table of Object.keys(READERS) as ThingTable[]) {
    const ids = named.filter((each) => each.table === table).map(({ id }) => id);
    for (const each of await READERS[table](reader, ids)) found.set(each.id, each);
  }
  return named.flatMap(({ id }) => found.get(id) ?? []);
}

/** Returns a detail as one line with its label: `Address: 1 Test Street`. */
export function detailText(name: string, value: DetailValue): string {
  const label = Object.hasOwn(META_MEMBERS, name) ? META_MEMBERS[name as MetaName].label : name;
  return `${label}: ${valueText(value)}`;
}

function valueText(value: DetailValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(valueText).join('; ');
  return Object.entries(value as Readonly<Record<string, DetailValue>>)
    .map(([name, each]) => `${name} ${valueText(each)}`)
    .join(', ');
}
