import type { Warning } from '../../common/warnings.js';
import type { EvidenceManifest } from '../seal/evidence-manifest.js';
import type { Contents, SourceDetails } from '../templates/template.js';
import type { LaterRevision, RevisionOrder } from './file/later-revision.js';
import type { DrawingProgress } from './page/page-renderer.js';

/** A document to build and draw, without evidence behind it. */
export interface RenderJob extends DrawOrder {
  readonly contents: Contents<SourceDetails>;
}

export interface DrawOrder {
  /** Absolute paths of the picture files by the keys that the report uses: nothing else can be drawn. */
  readonly pictures: ReadonlyMap<string, string>;
  /** Where the PDF is written. After a failure the file may be there in part; the caller removes it. */
  readonly outputPath: string;
  /** A word at the head of each page. */
  readonly mark?: string;
  readonly seal?: SealOrder;
}

/** The evidence behind the report: attached with the pages filled in, and the whole file signed (see `pdf/seal`). */
export interface SealOrder {
  readonly manifest: EvidenceManifest;
  /** Ed25519, PKCS #8, base64url. */
  readonly privateKey: string;
  readonly revision?: RevisionOrder;
}

export interface EmbeddedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly description: string;
  readonly content: Uint8Array;
}

export interface RenderOutcome {
  /** Of the first revision. */
  readonly bytes: number;
  readonly sha256: string;
  readonly later?: LaterRevision;
  readonly pages: number;
  /** Photographs in print order: the page on which each stands. */
  readonly photographPages: readonly number[];
  /** Photographs that print a placeholder because their picture could not be drawn. */
  readonly placeholders: number;
  /** Their places in print order, from 1: in an inspection report their numbers. */
  readonly missing: readonly number[];
  readonly warnings: readonly Warning[];
}

/** A report to build, draw and seal: everything that costs time happens in the worker. */
export interface ReportJob {
  readonly contents: Contents<SourceDetails>;
  readonly pictures: ReadonlyMap<string, string>;
  readonly outputPath: string;
  /** A word at the head of each page. */
  readonly mark?: string;
  /** Where the signed list of evidence is written. */
  readonly evidencePath: string;
  /** Ed25519, PKCS #8, base64url. */
  readonly privateKey: string;
  readonly revision?: RevisionOrder;
}

export interface ReportOutcome extends RenderOutcome {
  readonly fileName: string;
  /** The photographs for which a placeholder stands, with their names for a reader: their numbers. */
  readonly undrawn: readonly { readonly id: string; readonly name: string }[];
  /** Warnings about the caller's meta and remarks. */
  readonly reportWarnings: readonly Warning[];
}

/** Progress of a render: waiting, then page by page. */
export type RenderProgress = { phase: 'waiting' } | ({ phase: 'drawing' } & DrawingProgress);
