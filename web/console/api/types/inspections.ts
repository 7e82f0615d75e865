import type { AreaType } from '../../../../src/inspection/areas/area-type.js';

/** Answers of `/api/v1/inspection`. Times are ISO 8601 in UTC. */

export interface SessionItem {
  flowId: string;
  sessionId: string;
  photographs: number;
  pending: number;
  remarks: number;
  currentArea: string | null;
  /** In order of first arrival. */
  areas: string[];
  /** The address in the record of the inspection. */
  title: string | null;
  postcode: string | null;
  inspector: string | null;
  lastReport: { id: string; at: string; filename: string } | null;
  createdAt: string;
  updatedAt: string;
}

/** The events of `inspection/sessions/:sessionId/stream`. */
export interface SessionSummary {
  flowId: string;
  sessionId: string;
  pending: number;
  currentArea: string | null;
  areas: { area: string; areaType: AreaType; photographs: number; remarks: number; pending: number }[];
  outstandingAreas: string[];
  /** Number of corrections made in it. */
  corrected: number;
}

/** A photograph. Its bytes are at `inspection/photographs/:id/print` (upright JPEG) and `…/original`. */
export interface Photograph {
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
  /** The picture's own metadata: the camera's clock (with its offset, if any), place and device. */
  camera?: { time?: string; place?: { latitude: number; longitude: number }; device?: string };
  /** The rotation of the print in degrees clockwise. */
  turn: number;
  /** Set when withdrawn: stored, but neither printed nor counted. */
  withdrawnAt: string | null;
  /** Number of its corrections. */
  corrected: number;
  /** Neither claimed by a report nor withdrawn. */
  pending: boolean;
  /** The report that has claimed it. */
  reportId: string | null;
  executionId: string;
}

export interface Remark {
  id: string;
  area: string;
  text: string;
  recordedAt: string;
  withdrawnAt: string | null;
  corrected: number;
  pending: boolean;
  reportId: string | null;
}

/** A correction of a photograph or a remark. `turn` is relative and clockwise. */
export interface Change {
  area?: string;
  areaType?: AreaType;
  withdrawn?: boolean;
  turn?: number;
  caption?: string | null;
  text?: string;
  /** Undoes an earlier correction. */
  undo?: true;
}

/** An entry of `corrections` of `inspection/photographs/:id` and `inspection/remarks/:id`, oldest first. */
export interface Correction {
  at: string;
  /** The name of a key, `admin` or `chat`. */
  by: string;
  change: Change;
  reason?: string;
}

/** An observation, a reading, keys or an alarm. `fact` has the recorded members. */
export interface Fact {
  id: string;
  kind: 'observation' | 'reading' | 'keys' | 'alarm';
  area: string;
  fact: Readonly<Record<string, string | number | boolean>>;
  /** Ids. */
  photographs: string[];
  recordedAt: string;
  withdrawnAt: string | null;
  pending: boolean;
  reportId: string | null;
  corrections: { at: string; by: string; change: Readonly<Record<string, unknown>>; reason?: string }[];
}

/** `GET inspection/sessions/:sessionId`. */
export interface Session extends SessionSummary {
  /** The address in the record of the inspection. */
  title: string | null;
  createdAt: string;
  updatedAt: string;
  photographs: Photograph[];
  remarks: Remark[];
  facts: Fact[];
  /** Older records that are not listed. */
  omitted: number;
}
