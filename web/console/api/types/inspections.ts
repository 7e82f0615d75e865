/** What `inspection` of `/api/v1` answers. Times are ISO 8601 in UTC. */

export type AreaType = 'room' | 'external' | 'service';

export interface SessionItem {
  flowId: string;
  sessionId: string;
  photographs: number;
  pending: number;
  remarks: number;
  currentArea: string | null;
  /** In order of first arrival. */
  areas: string[];
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
}

/** Its bytes: `inspection/photographs/:id/print` (JPEG, upright) and `…/original`, both with the key (`file` of client.ts). */
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
  pending: boolean;
  /** The report that took it, or takes it at the moment. */
  reportId: string | null;
  executionId: string;
}

export interface Remark {
  id: string;
  area: string;
  text: string;
  recordedAt: string;
  pending: boolean;
  reportId: string | null;
}

/** `GET inspection/sessions/:sessionId`. */
export interface Session extends SessionSummary {
  createdAt: string;
  updatedAt: string;
  photographs: Photograph[];
  remarks: Remark[];
}
