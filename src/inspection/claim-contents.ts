import type { SqlValue } from '../database/tx.js';
import type { AreaType, ServiceArea } from './areas/area-type.js';
import type { PhotographInput, RemarkInput } from './report/report-input.js';

/** A photograph as it stands in the database, as far as a report needs it. */
export interface PhotographRow {
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
  width: number;
  height: number;
  rendition_key: string | null;
  rendition_sha256: string | null;
  rendition_bytes: number | null;
  sha256: string;
  bytes: number;
}

export const PHOTOGRAPH_COLUMNS =
  'id, flow_id, area_key, area_name, area_type, service, captured_at, source, received_at, arrival, caption, width, height, ' +
  'rendition_key, rendition_sha256, rendition_bytes, sha256, bytes';

export interface RemarkRow {
  area_name: string;
  area_type: AreaType | null;
  text: string;
}

export const photographInput = (row: PhotographRow): PhotographInput => ({
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
  width: row.width,
  height: row.height,
  rendition: row.rendition_key,
  renditionSha256: row.rendition_sha256,
  ...(row.rendition_bytes === null ? {} : { renditionBytes: row.rendition_bytes }),
  sha256: row.sha256,
  bytes: row.bytes,
});

export const remarkInput = (row: RemarkRow): RemarkInput => ({
  areaName: row.area_name,
  ...(row.area_type === null ? {} : { areaType: row.area_type }),
  text: row.text,
});

/** The rows of a session that belong to certain flows: a condition and its values. */
export interface SessionPlace {
  sql: string;
  values: SqlValue[];
}
