import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Session, SessionItem, SessionSummary } from '../../api/inspections.js';
import { declareBudget } from '../../common/budgets/budget.js';
import { defaults } from '../../common/environment.js';
import { isoTime } from '../../common/iso-time.js';
import { cursorOf, readCursor } from '../../common/json/cursor.js';
import { containing } from '../../common/texts/containing-text.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { SqlValue } from '../../database/tx.js';
import {
  factViews,
  type SessionFactRow,
  type PhotographRow,
  photographView,
  type RemarkRow,
  remarkView,
  timesCorrected,
} from './recorded-views.js';
import { FOUND_BY, itemOf, ITEMS, type ItemRow } from './session-item.js';
import { areasOf, lastReportsOf } from './session-overview.js';
import { summarise } from './session-summary.js';

interface SessionRow {
  flow_id: string;
  session_id: string;
  current_area: string | null;
  title: string | null;
  corrections: number;
  created_at: number;
  updated_at: number;
}

const LISTED = declareBudget({
  name: 'text and rows in the answer about one session, of each kind of record',
  unit: 'bytes',
  owner: 'call',
  share: 8 * 1024 * 1024,
  beyond: 'the oldest records are left out and counted in `omitted`',
  reason: `A full session has ${defaults.MAX_SESSION_TEXT_MB} MB of text and ${defaults.MAX_SESSION_PHOTOGRAPHS} photographs; its earlier reports hold more.`,
});

/** Bytes that a row counts in addition to its texts. */
const ROW_BYTES = 500;

/**
 * Returns the query for the rows of a session with the report of their claim, in order of arrival: unclaimed rows first,
 * then the latest of the others, up to the size of an answer. `found` counts all rows.
 */
const latest = (table: string, texts: readonly string[]): string => {
  const bytes = texts.map((text) => `COALESCE(OCTET_LENGTH(${text}), 0)`).join(' + ');
  return `SELECT item.*, claims.report_id, latest.found FROM (
     SELECT id, COUNT(*) OVER () AS found, SUM(${ROW_BYTES} + ${bytes}) OVER (
       ORDER BY CASE WHEN claim_id IS NULL THEN 0 ELSE 1 END, arrival DESC, id
       ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS bytes
     FROM ${table} WHERE flow_id = ? AND session_id = ?) latest
   JOIN ${table} item ON item.id = latest.id LEFT JOIN claims ON claims.id = item.claim_id
   WHERE latest.bytes <= ${LISTED.share} ORDER BY item.arrival, item.id`;
};

const PHOTOGRAPHS = latest('photographs', ['caption', 'camera']);
const REMARKS = latest('remarks', ['text']);
const FACTS = latest('facts', ['words', 'photographs']);

interface Counted {
  found: number;
}

const omitted = (rows: readonly Counted[]): number => Number(rows[0]?.found ?? 0) - rows.length;

/** The cursor position, that of the last session on a page: time of its change, flow and id. */
const position = z.tuple([z.int(), z.string(), z.string()]);

/** Reads the recorded inspections, for admins and the console (contract section 5). */
@Injectable()
export class InspectionSessions {
  constructor(private readonly reader: DatabaseReader) {}

  /** Lists sessions, most recently changed first; `cursor` is `nextCursor` of the previous page. */
  async list(query: {
    flowId?: string | undefined;
    /** A part of the session's id, address, postcode or inspector, ignoring case. */
    q?: string | undefined;
    limit: number;
    cursor?: string | undefined;
  }): Promise<{ data: SessionItem[]; nextCursor: string | null }> {
    const conditions: string[] = [];
    const values: SqlValue[] = [];
    if (query.flowId !== undefined) {
      conditions.push('session.flow_id = ?');
      values.push(query.flowId);
    }
    if (query.q !== undefined && query.q !== '') {
      const found = containing(FOUND_BY, query.q);
      conditions.push(found.sql);
      values.push(...found.values);
    }
    if (query.cursor !== undefined) {
      const [at, flowId, sessionId] = readCursor(query.cursor, position);
      conditions.push(
        `(session.updated_at < ? OR (session.updated_at = ?
          AND (session.flow_id > ? OR (session.flow_id = ? AND session.session_id > ?))))`,
      );
      values.push(at, at, flowId, flowId, sessionId);
    }
    const rows = await this.reader.all<ItemRow>(
      `${ITEMS} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
       ORDER BY session.updated_at DESC, session.flow_id, session.session_id LIMIT ?`,
      [...values, query.limit + 1],
    );
    const page = rows.slice(0, query.limit);
    const last = rows.length > query.limit ? page.at(-1) : undefined;
    const [areas, reports] = await Promise.all([
      areasOf(this.reader, page),
      lastReportsOf(this.reader, page),
    ]);
    return {
      data: page.map((row, index) => itemOf(row, areas[index] ?? [], reports[index] ?? null)),
      nextCursor: last === undefined ? null : cursorOf([last.updated_at, last.flow_id, last.session_id]),
    };
  }

  /** Returns the summary for the live stream; every correction changes it. */
  async summary(flowId: string, sessionId: string): Promise<SessionSummary & { corrected: number }> {
    const { summary, corrected } = await summarise(this.reader, flowId, sessionId);
    return { ...summary, corrected };
  }

  async find(flowId: string, sessionId: string): Promise<Session | undefined> {
    const key = [flowId, sessionId];
    const session = await this.reader.one<SessionRow>(
      `SELECT session.*, record.address AS title FROM inspection_sessions session
       LEFT JOIN inspection_details record
         ON record.flow_id = session.flow_id AND record.session_id = session.session_id
       WHERE session.flow_id = ? AND session.session_id = ?`,
      key,
    );
    if (!session) return undefined;
    const photographs = await this.reader.all<PhotographRow & Counted>(PHOTOGRAPHS, key);
    const remarks = await this.reader.all<RemarkRow & Counted>(REMARKS, key);
    const facts = await this.reader.all<SessionFactRow & Counted>(FACTS, key);
    const { summary, names } = await summarise(this.reader, flowId, sessionId);
    const corrected = Number(session.corrections);
    const times = corrected === 0 ? undefined : await timesCorrected(this.reader, { flowId, sessionId });
    const areaOf = (row: Pick<PhotographRow, 'area_key' | 'area_name'>) =>
      names.get(row.area_key) ?? row.area_name;
    return {
      flowId,
      sessionId,
      title: session.title,
      ...summary,
      corrected,
      createdAt: isoTime(session.created_at),
      updatedAt: isoTime(session.updated_at),
      photographs: photographs.map((row) => photographView(row, areaOf(row), times?.get(row.id))),
      remarks: remarks.map((row) => remarkView(row, areaOf(row), times?.get(row.id))),
      facts: await factViews(this.reader, facts, areaOf),
      omitted: omitted(photographs) + omitted(remarks) + omitted(facts),
    };
  }
}
