import { Injectable } from '@nestjs/common';
import { containing } from '../../common/texts/containing-text.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { SqlValue } from '../../database/tx.js';
import { firstIdAt, isExecutionId } from '../execution-id.js';
import { telephoneDigits } from '../log/telephone-digits.js';
import type { ExecutionCursor, ExecutionFilters, ExecutionPage } from './execution-query.js';
import { type ExecutionRow, LISTED, WHOLE } from './execution-view.js';

/** Filters that have an index `(column, id)` each, usually the most selective first. */
const INDEXED = {
  chatId: { column: 'chat_id', unindexed: `(chat_id || '')` },
  code: { column: 'code', unindexed: `(code || '')` },
  httpStatus: { column: 'http_status', unindexed: '(http_status + 0)' },
  status: { column: 'status', unindexed: `(status || '')` },
  flowId: { column: 'flow_id', unindexed: `(flow_id || '')` },
  kind: { column: 'kind', unindexed: `(kind || '')` },
} as const;

type IndexedFilter = keyof typeof INDEXED;

/** Column of a chat's telephone number, the same for all its spellings. */
const DIGITS = { column: 'chat_digits', unindexed: `(chat_digits || '')` };

/** Most records that a page examines if several filters, an unindexed one or a search text are combined. */
const MOST_EXAMINED = 10_000;

/** Most records among which the longest are found. */
const MOST_ORDERED = 50_000;

/** Duration of a record for the order; running ones come last. */
const TOOK = 'COALESCE(duration_ms, -1)';

/** A filter with fewer rows leads: all its rows are examined. */
const FEW = 1_000;

/** Columns searched for a text, ignoring case. */
const SEARCHED = ['question', 'answer', 'chat_id', 'code', 'error', 'id'];

export interface Condition {
  sql: string;
  values: SqlValue[];
}

/** The condition that leads along its index, the conditions only tested, and true if the walk needs no bound. */
interface Plan {
  lead: Condition | undefined;
  rest: Condition[];
  complete: boolean;
}

export interface FoundExecutions {
  rows: ExecutionRow[];
  /** Start of the next page; `undefined` after the last. */
  nextCursor: ExecutionCursor | undefined;
}

/**
 * Finds records, newest first. A single filter, with or without a range of time, is a walk along its index. Several
 * filters walk the index of the most selective one and test the rest. In that case, and with `q`, a page examines
 * 10,000 records at most: it may hold fewer than `limit`, even none, and `nextCursor` continues from there. So the cost
 * of a page does not grow with the table. Ordered by duration, the longest of the newest 50,000 come first.
 */
@Injectable()
export class ExecutionSearch {
  constructor(private readonly reader: DatabaseReader) {}

  async page(query: ExecutionPage, options: { whole?: boolean } = {}): Promise<FoundExecutions> {
    if (query.sort === 'duration') return this.longest(query, options);
    const range = rangeOf(query, query.cursor);
    const { lead, rest, complete } = await this.plan(query, range);
    const floor = complete ? undefined : await this.floor(lead, range, MOST_EXAMINED);
    const conditions = [lead, ...rest, range, ...(floor === undefined ? [] : [atLeast(floor)])].filter(
      (condition) => condition !== undefined,
    );
    const rows = await this.reader.all<ExecutionRow>(
      `SELECT ${options.whole ? WHOLE : LISTED} FROM executions${where(conditions)} ORDER BY id DESC LIMIT ?`,
      [...conditions.flatMap((condition) => condition.values), query.limit + 1],
    );
    if (rows.length > query.limit) {
      return { rows: rows.slice(0, query.limit), nextCursor: { id: rows[query.limit - 1]!.id } };
    }
    return { rows, nextCursor: floor === undefined ? undefined : { id: floor } };
  }

  /** Returns a page ordered by duration, longest first. */
  private async longest(query: ExecutionPage, options: { whole?: boolean }): Promise<FoundExecutions> {
    const range = rangeOf(query);
    const { lead, rest } = await this.plan(query, range);
    const floor = await this.floor(lead, range, MOST_ORDERED);
    const { took = 0, id = '' } = query.cursor ?? {};
    const after = { sql: `(${TOOK} < ? OR (${TOOK} = ? AND id < ?))`, values: [took, took, id] };
    const bounds = [...(floor === undefined ? [] : [atLeast(floor)]), ...(query.cursor ? [after] : [])];
    const conditions = [lead, ...rest, range, ...bounds].filter((condition) => condition !== undefined);
    const found = await this.reader.all<ExecutionRow>(
      `SELECT ${options.whole ? WHOLE : LISTED} FROM executions${where(conditions)}
       ORDER BY ${TOOK} DESC, id DESC LIMIT ?`,
      [...conditions.flatMap((condition) => condition.values), query.limit + 1],
    );
    const rows = found.slice(0, query.limit);
    const last = rows.at(-1);
    const more = last && found.length > query.limit;
    return {
      rows,
      nextCursor: more ? { id: last.id, took: last.durationMs ?? -1 } : undefined,
    };
  }

  private async plan(query: ExecutionPage, range: Condition | undefined): Promise<Plan> {
    const names = (Object.keys(INDEXED) as IndexedFilter[]).filter((name) => query[name] !== undefined);
    const id = query.q?.toLowerCase();
    if (id !== undefined && isExecutionId(id)) {
      const rest = [...names.map((name) => unindexed(name, query)), ...looseConditions(query, false)];
      return { lead: { sql: 'id = ?', values: [id] }, rest, complete: true };
    }
    const loose = looseConditions(query);
    const single = names.length + loose.length <= 1;
    const few = single ? undefined : await this.shortest(names, query, range);
    const leading = few ?? names[0];
    const rest = names.filter((name) => name !== leading).map((name) => unindexed(name, query));
    return {
      lead: leading === undefined ? undefined : indexed(leading, query),
      rest: [...rest, ...loose],
      complete: few !== undefined || (single && loose.length === 0),
    };
  }

  /** Returns the first filter with few rows. */
  private async shortest(names: IndexedFilter[], query: ExecutionPage, range: Condition | undefined) {
    for (const name of names) {
      const conditions = [indexed(name, query), ...(range ? [range] : [])];
      const beyond = await this.nth(conditions, FEW);
      if (beyond === undefined) return name;
    }
    return undefined;
  }

  /** Returns the id at which a walk along the leading filter has examined so many records. */
  private floor(
    lead: Condition | undefined,
    range: Condition | undefined,
    most: number,
  ): Promise<string | undefined> {
    return this.nth(
      [lead, range].filter((condition) => condition !== undefined),
      most,
    );
  }

  /** Returns the id `count` records further along, from the index alone. */
  private async nth(conditions: readonly Condition[], count: number): Promise<string | undefined> {
    const row = await this.reader.one<{ id: string }>(
      `SELECT id FROM executions${where(conditions)} ORDER BY id DESC LIMIT 1 OFFSET ?`,
      [...conditions.flatMap((condition) => condition.values), count - 1],
    );
    return row?.id;
  }
}

/** Converts a range of time to a range of ids. */
function rangeOf(query: ExecutionFilters, cursor?: ExecutionCursor): Condition | undefined {
  const ends = [
    ...(cursor === undefined ? [] : [cursor.id]),
    ...(query.to === undefined ? [] : [firstIdAt(query.to + 1)]),
  ].sort();
  const conditions: Condition[] = [];
  if (ends[0] !== undefined) conditions.push({ sql: 'id < ?', values: [ends[0]] });
  if (query.from !== undefined) conditions.push(atLeast(firstIdAt(query.from)));
  if (conditions.length === 0) return undefined;
  return {
    sql: conditions.map((condition) => condition.sql).join(' AND '),
    values: conditions.flatMap((condition) => condition.values),
  };
}

const atLeast = (id: string): Condition => ({ sql: 'id >= ?', values: [id] });

const indexed = (name: IndexedFilter, query: ExecutionFilters): Condition => {
  const { column, value } = placeOf(name, query);
  return { sql: `${column} = ?`, values: [value] };
};

/** Prevents both databases from using an index for it: only the leading filter may be walked. */
const unindexed = (name: IndexedFilter, query: ExecutionFilters): Condition => {
  const { unindexed: place, value } = placeOf(name, query);
  return { sql: `${place} = ?`, values: [value] };
};

function placeOf(name: IndexedFilter, query: ExecutionFilters) {
  const digits = name === 'chatId' ? telephoneDigits(query.chatId!) : undefined;
  return digits === undefined ? { ...INDEXED[name], value: query[name]! } : { ...DIGITS, value: digits };
}

/** Returns the conditions of filters that no index serves. */
function looseConditions({ address, minDurationMs, q }: ExecutionFilters, withText = true): Condition[] {
  return [
    ...(address === undefined ? [] : [{ sql: 'caller_address = ?', values: [address] }]),
    ...(minDurationMs === undefined ? [] : [{ sql: 'duration_ms >= ?', values: [minDurationMs] }]),
    ...(q === undefined || !withText ? [] : [containing(SEARCHED, q)]),
  ];
}

/** Returns the conditions of all filters but the range of time, for other queries of the table. */
export const filterConditions = (query: Omit<ExecutionFilters, 'from' | 'to'>): Condition[] => [
  ...(Object.keys(INDEXED) as IndexedFilter[])
    .filter((name) => query[name] !== undefined)
    .map((name) => indexed(name, query)),
  ...looseConditions(query),
];

const where = (conditions: readonly Condition[]): string =>
  conditions.length === 0 ? '' : ` WHERE ${conditions.map((condition) => condition.sql).join(' AND ')}`;
