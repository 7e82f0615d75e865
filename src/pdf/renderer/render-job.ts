import type { Warning } from '../../common/warnings.js';
import type { ComparisonReport } from '../../inspection/report/comparison-report.js';
import type { InspectionReport } from '../../inspection/report/inspection-report.js';
import type { EvidenceManifest } from '../seal/evidence-manifest.js';
import type { DocumentContents } from './document-contents.js';

/** A document whose words are decided, by the template that lays it out. */
export type ReportToDraw =
  | { readonly template: 'inspection'; readonly report: InspectionReport }
  | { readonly template: 'comparison'; readonly report: ComparisonReport };

/** A document to draw. */
export type RenderJob = ReportToDraw & DrawOrder;

export interface DrawOrder {
  /** Absolute paths of the picture files by the keys that the report uses: nothing else can be drawn. */
  readonly pictures: ReadonlyMap<string, string>;
  /** Where the PDF is written. After a failure the file may be there in part; the caller removes it. */
  readonly outputPath: string;
  /** Files inside of the PDF. */
  readonly attachments?: readonly Attachment[];
  readonly seal?: SealOrder;
}

/** The evidence behind the report: attached with the pages filled in, and the whole file signed (see `pdf/seal`). */
export interface SealOrder {
  readonly manifest: EvidenceManifest;
  /** Ed25519, PKCS #8, base64url. */
  readonly privateKey: string;
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
  /** Their places in print order, from 1: in an inspection report their numbers. */
  readonly missing: readonly number[];
  readonly warnings: readonly Warning[];
}

/** A report to build, draw and seal: everything that costs time happens in the worker. */
export interface ReportJob {
  readonly contents: DocumentContents;
  readonly pictures: ReadonlyMap<string, string>;
  readonly outputPath: string;
  /** Where the signed list of evidence is written. */
  readonly evidencePath: string;
  /** Ed25519, PKCS #8, base64url. */
  readonly privateKey: string;
}

export interface ReportOutcome extends RenderOutcome {
  readonly fileName: string;
  /** The photographs for which a placeholder stands, as a reader finds them. */
  readonly missingNames: readonly string[];
  /** What the caller should be told of its meta and remarks. */
  readonly reportWarnings: readonly Warning[];
}

/** Sent while pages are drawn, a few times a second at most. */
export interface RenderProgress {
  readonly page: number;
  readonly pages: number;
  readonly photographs: number;
}

/** How far a render is: waiting for its turn, then page by page. */
export type Progress = { phase: 'waiting' } | ({ phase: 'drawing' } & RenderProgress);
