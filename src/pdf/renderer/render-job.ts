import type { Warning } from '../../common/warnings.js';
import type { Contents, SourceDetails } from '../templates/template.js';
import type { LaterRevision, RevisionOrder } from './file/later-revision.js';
import type { DrawingProgress } from './page/page-renderer.js';

/** A report to build, draw and seal: everything that costs time happens in the worker. */
export interface ReportJob {
  readonly contents: Contents<SourceDetails>;
  /** Absolute paths of the picture files by the keys that the report uses. Nothing else can be drawn. */
  readonly pictures: ReadonlyMap<string, string>;
  /** The path of the PDF. After a failure a part of the file may be there; the caller removes it. */
  readonly outputPath: string;
  /** A word at the head of each page. */
  readonly mark?: string;
  /** The path of the signed list of evidence. */
  readonly evidencePath: string;
  /** Ed25519, PKCS #8, base64url. */
  readonly privateKey: string;
  readonly revision?: RevisionOrder;
}

export interface ReportOutcome {
  /** Bytes of the first revision. */
  readonly bytes: number;
  readonly sha256: string;
  readonly later?: LaterRevision;
  readonly fileName: string;
  readonly pages: number;
  /** The page of each photograph, in print order. */
  readonly photographPages: readonly number[];
  /** The photographs that print a placeholder, with the names under which a reader finds them. */
  readonly undrawn: readonly { readonly id: string; readonly name: string }[];
  readonly warnings: readonly Warning[];
  /** Warnings about the caller's meta and remarks. */
  readonly reportWarnings: readonly Warning[];
}

/** Progress of a render: waiting, then page by page. */
export type RenderProgress = { phase: 'waiting' } | ({ phase: 'drawing' } & DrawingProgress);
