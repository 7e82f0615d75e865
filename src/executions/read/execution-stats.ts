import { Injectable } from '@nestjs/common';
import type { ExecutionKind, ExecutionStatus, StatsUnit } from '../../api/execution-terms.js';
import type { Attention, ExecutionCharts } from '../../api/executions.js';
import { Clock } from '../../common/clock.js';
import { isoTime } from '../../common/iso-time.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { firstIdAt } from '../execution-id.js';
import { ExecutionLog } from '../log/execution-log.js';
import type { StatsQuery } from './execution-query.js';
import { filterConditions } from './execution-search.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const BUCKET_MS: Readonly<Record<StatsUnit, number>> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

/** More bars could not be distinguished. */
const MOST_BARS = 200;

/** Most causes that need attention. */
const MOST_CAUSES = 100;

/** Newest records of the range that the charts count. */
const MOST_RECORDS = 50_000;

interface CountRow {
  bucket: number;
  kind: ExecutionKind;
  status: ExecutionStatus;
  count: number;
  credits: number;
}

interface AttentionRow {
  cause: string;
  count: number;
  flow_id: string | null;
  account: string | null;
  origin: string | null;
  since: number;
  sample: string;
}

interface DurationRow {
  bucket: number | null;
  p50: number | null;
  p95: number | null;
}

/** Computes the figures of the console's charts: executions by end, time, price and duration. */
@Injectable()
export class ExecutionStats {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly log: ExecutionLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts the matching records by minute, hour or day (`by`, by default the finest that needs at most two hundred
   * buckets), of the last seven days unless `from` is set. Hours and days follow the reader's clock (`utcOffset`,
   * minutes). Beyond 50,000 records only the newest are counted, and `complete` is false. `attention` covers the last 24
   * hours unless `from` is set.
   */
  async count(query: StatsQuery): Promise<ExecutionCharts> {
    await this.log.flush();
    const to = query.to ?? this.clock.now();
    const from = query.from ?? to - 7 * DAY_MS;
    const by = query.by ?? finestFor(await this.span(query, from, to));
    const recent = recentRecords(query, from, to, bucketOf(by, query.utcOffset));
    const [counts, durations, attention] = await Promise.all([
      this.reader.all<CountRow>(countsOf(recent.sql), recent.values),
      this.reader.all<DurationRow>(durationsOf(recent.sql), [...recent.values, ...recent.values]),
      this.attention(query, query.from ?? to - DAY_MS, to),
    ]);
    return { ...summary(counts, durations, { from, to, by }), attention };
  }

  /** Groups refusals and failures by code, flow and account, and those of unlisted pages by origin too. */
  private async attention(query: StatsQuery, from: number, to: number): Promise<Attention[]> {
    const { where, values } = conditionsOf(query, from, to);
    const rows = await this.reader.all<AttentionRow>(
      `SELECT cause, flow_id, account, origin, count(*) AS count, min(started_at) AS since, max(id) AS sample
       FROM (
         SELECT id, started_at, flow_id, account, code AS cause,
           CASE WHEN code = 'domain_not_allowed' THEN caller_origin END AS origin
         FROM executions WHERE ${where} AND status IN ('failed', 'rejected') AND code IS NOT NULL
           AND code <> 'caller_gone' ORDER BY id DESC LIMIT ${MOST_RECORDS}
       ) AS recent
       GROUP BY cause, flow_id, account, origin ORDER BY count DESC, sample DESC LIMIT ${MOST_CAUSES}`,
      values,
    );
    return rows.map(({ cause, count, since, sample, ...group }) => ({
      cause,
      count: Number(count),
      ...(group.flow_id === null ? {} : { flowId: group.flow_id }),
      ...(group.account === null ? {} : { account: group.account }),
      ...(group.origin === null ? {} : { origin: group.origin }),
      since: isoTime(Number(since)),
      sample,
    }));
  }

  /** Returns the milliseconds between the first and last counted record; without any, of the whole range. */
  private async span(query: StatsQuery, from: number, to: number): Promise<number> {
    const recent = recentRecords(query, from, to, 'started_at');
    const ends = await this.reader.one<{ first: number | null; last: number | null }>(
      `SELECT min(bucket) AS first, max(bucket) AS last FROM (${recent.sql}) AS recent`,
      recent.values,
    );
    return ends?.first == null ? to - from : Number(ends.last) - Number(ends.first);
  }
}

const finestFor = (span: number): StatsUnit =>
  (['minute', 'hour'] as const).find((by) => span <= MOST_BARS * BUCKET_MS[by]) ?? 'day';

/** Returns SQL for the instant at which a record's bucket begins. */
function bucketOf(by: StatsUnit, utcOffset = 0): string {
  const local = `(started_at + ${utcOffset * MINUTE_MS})`;
  return `started_at - ${local} % ${BUCKET_MS[by]}`;
}

function recentRecords(query: StatsQuery, from: number, to: number, bucket: string) {
  const { where, values } = conditionsOf(query, from, to);
  return {
    sql: `SELECT ${bucket} AS bucket, kind, status, credits - refunded AS credits, duration_ms FROM executions
      WHERE ${where} ORDER BY id DESC LIMIT ${MOST_RECORDS}`,
    values,
  };
}

function conditionsOf(query: StatsQuery, from: number, to: number) {
  const filters = filterConditions(query);
  return {
    where: ['id >= ?', 'id < ?', ...filters.map(({ sql }) => sql)].join(' AND '),
    values: [firstIdAt(from), firstIdAt(to + 1), ...filters.flatMap(({ values }) => values)],
  };
}

const countsOf = (recent: string): string =>
  `SELECT bucket, kind, status, count(*) AS count, sum(credits) AS credits FROM (${recent}) AS recent
   GROUP BY bucket, kind, status ORDER BY bucket`;

/** Returns SQL for median and 95th percentile of runs, by bucket and in total (`bucket` null). */
const durationsOf = (recent: string): string =>
  `SELECT bucket, min(CASE WHEN place * 2 >= total THEN duration_ms END) AS p50,
     min(CASE WHEN place * 20 >= total * 19 THEN duration_ms END) AS p95
   FROM (
     SELECT bucket, duration_ms, row_number() OVER (PARTITION BY bucket ORDER BY duration_ms) AS place,
       count(*) OVER (PARTITION BY bucket) AS total
     FROM (${recent}) AS recent WHERE duration_ms IS NOT NULL AND status <> 'rejected'
     UNION ALL
     SELECT NULL, duration_ms, row_number() OVER (ORDER BY duration_ms), count(*) OVER ()
     FROM (${recent}) AS every_run WHERE duration_ms IS NOT NULL AND status <> 'rejected'
   ) AS ranked GROUP BY bucket`;

function summary(
  counts: readonly CountRow[],
  durations: readonly DurationRow[],
  range: { from: number; to: number; by: StatsUnit },
) {
  const durationOf = new Map(durations.map((row) => [row.bucket, { p50: row.p50, p95: row.p95 }]));
  const buckets = [...byBucket(counts)].map(([bucket, rows]) => ({
    at: isoTime(bucket),
    ...totalsOf(rows),
    durationMs: durationOf.get(bucket) ?? { p50: null, p95: null },
  }));
  const totals = totalsOf(counts);
  return {
    from: isoTime(range.from),
    to: isoTime(range.to),
    by: range.by,
    complete: totals.count < MOST_RECORDS,
    totals: { ...totals, durationMs: durationOf.get(null) ?? { p50: null, p95: null } },
    buckets,
  };
}

function byBucket(counts: readonly CountRow[]): Map<number, CountRow[]> {
  const groups = new Map<number, CountRow[]>();
  for (const row of counts) {
    const group = groups.get(row.bucket);
    if (group) group.push(row);
    else groups.set(row.bucket, [row]);
  }
  return groups;
}

function totalsOf(rows: readonly CountRow[]) {
  const byStatus: Partial<Record<ExecutionStatus, number>> = {};
  const byKind: Partial<Record<ExecutionKind, number>> = {};
  let count = 0;
  let credits = 0;
  for (const row of rows) {
    count += Number(row.count);
    credits += Number(row.credits);
    byStatus[row.status] = (byStatus[row.status] ?? 0) + Number(row.count);
    byKind[row.kind] = (byKind[row.kind] ?? 0) + Number(row.count);
  }
  return { count, credits, byStatus, byKind };
}
