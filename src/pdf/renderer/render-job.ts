import type { InspectionReport } from '../../inspection/report/inspection-report.js';

/** A document to draw. `comparison` will be a second member of this union. */
export interface RenderJob {
  readonly template: 'inspection';
  readonly report: InspectionReport;
  /** Absolute paths of the picture files by the keys that the report uses: nothing else can be drawn. */
  readonly pictures: ReadonlyMap<string, string>;
  /** Where the PDF is written. After a failure the file may be there in part; the caller removes it. */
  readonly outputPath: string;
  /** Files inside of the PDF. */
  readonly attachments?: readonly Attachment[];
}

export interface Attachment {
  readonly name: string;
  readonly mediaType: string;
  readonly description: string;
  readonly content: Uint8Array;
}

export interface RenderOutcome {
  readonly bytes: number;
  readonly sha256: string;
  readonly pages: number;
  /** Photographs in print order: the page on which each stands. */
  readonly photographPages: readonly number[];
  /** How many of them print a placeholder because their picture could not be drawn. */
  readonly placeholders: number;
  readonly warnings: readonly string[];
}

/** Sent while pages are drawn, a few times a second at most. */
export interface RenderProgress {
  readonly page: number;
  readonly pages: number;
  readonly photographs: number;
}
