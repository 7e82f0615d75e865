import type { Warning } from '../../../common/warning.js';

/** Answers of `pdf` of `/api/v1`. Times are ISO 8601 in UTC. */

export interface Delivery {
  email: {
    to: string[];
    status: string;
    as: 'attachment' | 'link';
    attempts: number;
    code?: string;
    error?: string;
    sentAt?: string;
  };
}

export interface ReportFile {
  id: string;
  filename: string;
  /** Opens without a key until it expires. */
  url: string;
  bytes: number;
  pages: number;
  sha256: string;
  photographs: number;
}

/** `GET pdf/reports?sessionId=`. */
export interface Report extends ReportFile {
  sessionId: string;
  date: string;
  outstandingAreas: string[];
  warnings: Warning[];
  delivery?: Delivery;
  executionId: string;
  /** The size into which it was asked to fit. */
  maxBytes?: number;
  /** 1 of the first report; a further edition replaces another report. */
  edition: number;
  replaces?: string;
  reason?: string;
  replacedBy?: string;
}

/** `GET pdf/reports/:id/details`: the members of `meta` that a report prints. */
export interface DetailsOfReport {
  id: string;
  details: Record<string, unknown>;
}

/** `POST pdf/render`, and `result` of a finished one. */
export type RenderAnswer =
  | {
      file: ReportFile;
      /** Drawn as if: nothing was taken, and the file lives an hour. */
      preview?: true;
      claimed: number;
      outstandingAreas: string[];
      warnings: Warning[];
      delivery?: Delivery;
      executionId: string;
      /** Of a further edition: its number, and the report that it replaces. */
      edition?: number;
      replaces?: string;
    }
  | {
      file: null;
      reason: 'nothing_pending' | 'render_in_progress';
      previousReports: { id: string; filename: string; date: string; url?: string }[];
    };

/** `POST pdf/render` with `Prefer: respond-async`. */
export interface AcceptedRender {
  id: string;
  status: 'running';
  executionId: string;
}
