import type { Warning } from '../../common/warnings.js';
import { buildComparison } from '../../inspection/report/build-comparison.js';
import { buildReport } from '../../inspection/report/build-report.js';
import { comparisonManifest, type EvidenceManifest, evidenceManifest } from '../seal/evidence-manifest.js';
import { comparisonDocument } from '../templates/comparison/comparison-document.js';
import type { DocumentDefinition } from '../templates/definition.js';
import { inspectionDocument } from '../templates/inspection/inspection-document.js';
import { type DocumentContents, reportsIn } from './document-contents.js';
import type { ReportToDraw } from './render-job.js';

/** What a document says, the evidence behind it, and what the caller should be told. */
export interface BuiltDocument {
  readonly toDraw: ReportToDraw;
  readonly manifest: EvidenceManifest;
  readonly fileName: string;
  readonly warnings: readonly Warning[];
}

/** Decides what a document says. With `definitionOf` all that a new template adds to the drawing. */
export function buildDocument(contents: DocumentContents): BuiltDocument {
  const { template, input } = contents;
  const photographs = reportsIn(contents).flatMap((report) => report.photographs);
  if (template === 'inspection') {
    const { report, warnings } = buildReport(input);
    const manifest = evidenceManifest(report, photographs);
    return { toDraw: { template, report }, manifest, fileName: report.fileName, warnings };
  }
  const { report, warnings } = buildComparison(input);
  const manifest = comparisonManifest(report, photographs);
  return { toDraw: { template, report }, manifest, fileName: report.fileName, warnings };
}

export const definitionOf = ({ template, report }: ReportToDraw): DocumentDefinition =>
  template === 'inspection' ? inspectionDocument(report) : comparisonDocument(report);
