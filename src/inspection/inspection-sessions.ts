import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { isoTime } from '../common/clock.js';
import { containing } from '../common/containing-text.js';
import { cursorOf, readCursor } from '../common/cursor.js';
import { DatabaseReader } from '../database/database-reader.js';
import type { SqlValue } from '../database/tx.js';
import type { AreaType } from './areas/area-type.js';
import type { SessionSummary } from './capture/capture-command.js';
import { areasOf, type LastReport, lastReportsOf } from './session-overview.js';
import { summarise } from './session-summary.js';

/** A session in the list. */
export interface SessionItem {
  flowId: string;
  sessionId: string;
  photographs: number;
  pending: number;
  remarks: number;
  currentArea: string | null;
  /** In order of first arrival. */
  areas: string[];
  /** The newest report of this session, by its id and the render's instant. */
  lastReport: LastReport | null;
  createdAt: string;
  updatedAt: string;
}

/** A recorded photograph as a session shows it, under the best spelling of its area. Sizes are of the original, upright. */
export interface PhotographView {
  id: string;
  area: string;
  areaType: AreaType;
  capturedAt: string;
  source: 'captureTs' | 'server';
  receivedAt: string;
  name: string | null;
  caption: string | null;
  sha256: string;
  bytes: number;
  width: number;
  height: number;
  pending: boolean;
  /** The report that took it, or takes it at the moment. */
  reportId: string | null;
  executionId: string;
}

export interface RemarkView {
  id: string;
  area: string;
  text: string;
  recordedAt: string;
  pending: boolean;
  reportId: string | null;
}

export interface SessionView extends SessionSummary {
  flowId: string;
  sessionId: string;
  createdAt: string;
  updatedAt: string;
  photographs: PhotographView[];
  remarks: RemarkView[];
}

interface SessionRow {
  flow_id: string;
  session_id: string;
  current_area: string | null;
  created_at: number;
  updated_at: number;
}

interface PhotographRow {
  id: string;
  area_key: string;
  area_name: string;
  area_type: AreaType;
  captured_at: number;
  source: 'captureTs' | 'server';
  received_at: number;
  file_name: string | null;
  caption: string | null;
  sha256: string;
  bytes: number;
  original_width: number;
  original_height: number;
  execution_id: string;
  claim_id: string | null;
  report_id: string | null;
}

interface RemarkRow {
  id: string;
  area_key: string;
  area_name: string;
  text: string;
  recorded_at: number;
  claim_id: string | null;
  report_id: string | null;
}

/** Rows of a session, each with the report that its claim makes. */
const claimed = (table: string): string =>
  `SELECT item.*, claims.report_id FROM ${table} item LEFT JOIN claims ON claims.id = item.claim_id
   WHERE item.flow_id = ? AND item.session_id = ? ORDER BY item.arrival, item.id`;

const COUNTS = `SELECT session.*,
  (SELECT COUNT(*) FROM photographs p WHERE p.session_id = session.session_id AND p.flow_id = session.flow_id) AS photographs,
  (SELECT COUNT(*) FROM photographs p WHERE p.session_id = session.session_id AND p.flow_id = session.flow_id
    AND p.claim_id IS NULL) AS pending,
  (SELECT COUNT(*) FROM remarks r WHERE r.session_id = session.session_id AND r.flow_id = session.flow_id) AS remarks
  FROM inspection_sessions session`;

/** Of the last session on a page: when it changed, its flow, its id. */
const position = z.tuple([z.int(), z.string(), z.string()]);

/** What inspections have recorded, for admins and the console (contract section 5). */
@Injectable()
export class InspectionSessions {
  constructor(private readonly reader: DatabaseReader) {}

  /** Sessions, the one that changed last first; `cursor` is `nextCursor` of the page before. */
  async list(query: {
    flowId?: string | undefined;
    /** A part of the session's id, whatever the case of its letters. */
    q?: string | undefined;
    limit: number;
    cursor?: string | undefined;
  }): Promise<{ data: SessionItem[]; nextCursor: string | null }> {
    const conditions: string[] = [];
    const values: SqlValue[] = [];
    if (query.flowId !== undefined) {
      conditions.push('flow_id = ?');
      values.push(query.flowId);
    }
    if (query.q !== undefined && query.q !== '') {
      const found = containing(['session_id'], query.q);
      conditions.push(found.sql);
      values.push(...found.values);
    }
    if (query.cursor !== undefined) {
      const [at, flowId, sessionId] = readCursor(query.cursor, position);
      conditions.push(
        `(updated_at < ? OR (updated_at = ? AND (flow_id > ? OR (flow_id = ? AND session_id > ?))))`,
      );
      values.push(at, at, flowId, flowId, sessionId);
    }
    const rows = await this.reader.all<SessionRow & Record<'photographs' | 'pending' | 'remarks', number>>(
      `${COUNTS} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
       ORDER BY updated_at DESC, flow_id, session_id LIMIT ?`,
      [...values, query.limit + 1],
    );
    const page = rows.slice(0, query.limit);
    const last = rows.length > query.limit ? page.at(-1) : undefined;
    const [areas, reports] = await Promise.all([
      areasOf(this.reader, page),
      lastReportsOf(this.reader, page),
    ]);
    return {
      data: page.map((row, index) => ({
        flowId: row.flow_id,
        sessionId: row.session_id,
        photographs: row.photographs,
        pending: row.pending,
        remarks: row.remarks,
        currentArea: row.current_area,
        areas: areas[index] ?? [],
        lastReport: reports[index] ?? null,
        createdAt: isoTime(row.created_at),
        updatedAt: isoTime(row.updated_at),
      })),
      nextCursor: last === undefined ? null : cursorOf([last.updated_at, last.flow_id, last.session_id]),
    };
  }

  /** The flows that hold a session of this id, the one that changed last first. */
  async flowsOf(sessionId: string): Promise<string[]> {
    const rows = await this.reader.all<{ flow_id: string }>(
      'SELECT flow_id FROM inspection_sessions WHERE session_id = ? ORDER BY updated_at DESC, flow_id',
      [sessionId],
    );
    return rows.map((row) => row.flow_id);
  }

  async summary(flowId: string, sessionId: string): Promise<SessionSummary> {
    return (await summarise(this.reader, flowId, sessionId)).summary;
  }

  async find(flowId: string, sessionId: string): Promise<SessionView | undefined> {
    const key = [flowId, sessionId];
    const session = await this.reader.one<SessionRow>(
      'SELECT * FROM inspection_sessions WHERE flow_id = ? AND session_id = ?',
      key,
    );
    if (!session) return undefined;
    const photographs = await this.reader.all<PhotographRow>(claimed('photographs'), key);
    const remarks = await this.reader.all<RemarkRow>(claimed('remarks'), key);
    const { summary, names } = await summarise(this.reader, flowId, sessionId);
    const areaOf = (row: PhotographRow | RemarkRow) => names.get(row.area_key) ?? row.area_name;
    return {
      flowId,
      sessionId,
      ...summary,
      createdAt: isoTime(session.created_at),
      updatedAt: isoTime(session.updated_at),
      photographs: photographs.map((row) => photographView(row, areaOf(row))),
      remarks: remarks.map((row) => ({
        id: row.id,
        area: areaOf(row),
        text: row.text,
        recordedAt: isoTime(row.recorded_at),
        pending: row.claim_id === null,
        reportId: row.report_id,
      })),
    };
  }
}

const photographView = (row: PhotographRow, area: string): PhotographView => ({
  id: row.id,
  area,
  areaType: row.area_type,
  capturedAt: isoTime(row.captured_at),
  source: row.source,
  receivedAt: isoTime(row.received_at),
  name: row.file_name,
  caption: row.caption,
  sha256: row.sha256,
  bytes: row.bytes,
  width: row.original_width,
  height: row.original_height,
  pending: row.claim_id === null,
  reportId: row.report_id,
  executionId: row.execution_id,
});
