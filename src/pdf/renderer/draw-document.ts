import { rmSync } from 'node:fs';
import type { Warning } from '../../common/warnings.js';
import type { DocumentDefinition } from '../templates/definition.js';
import { PAGE } from '../templates/look.js';
import { TABLE_LAYOUTS } from '../templates/table-layouts.js';
import { MANIFEST_NAME, asDrawn } from '../seal/evidence-manifest.js';
import { signatureOf, unsignedLine } from '../seal/seal-line.js';
import { definitionOf } from './build-document.js';
import { FileSink } from './file-sink.js';
import { Layout } from './layout.js';
import { PageRenderer } from './page-renderer.js';
import { PdfDocument } from './pdf-document.js';
import { tableLayouts } from './pdfmake-parts.js';
import { patchFile } from './patch-file.js';
import type {
  Attachment,
  RenderJob,
  RenderOutcome,
  RenderProgress,
  ReportToDraw,
  SealOrder,
} from './render-job.js';
import { StructureTree } from './structure-tree.js';
import type { FontLibrary } from './text/font-library.js';

/** Takes as long as it takes and blocks its thread: runs in the drawing worker only. */
export function drawDocument(
  job: RenderJob,
  library: FontLibrary,
  onProgress: (progress: RenderProgress) => void,
): RenderOutcome {
  const sink = new FileSink(job.outputPath);
  try {
    const { toDraw, warnings } = withDrawableLogo(job);
    const definition = definitionOf(toDraw);
    const document = PdfDocument.create(sink, job.pictures, definition.info);
    const drawn = drawInto(document, definition, library, onProgress);
    for (const attachment of job.attachments ?? []) attach(document, attachment, definition.info.createdAt);
    const seal = job.seal && beginSeal(document, sink, job.seal, drawn);
    document.end();
    const written = sink.finish();
    return { ...written, ...seal?.(job.outputPath, written.sha256), ...drawn, warnings };
  } catch (error) {
    sink.abandon();
    rmSync(job.outputPath, { force: true });
    throw error;
  }
}

/** Attaches the evidence and leaves room for the signature; what it answers signs the finished file. */
function beginSeal(
  document: PdfDocument,
  sink: FileSink,
  { manifest, privateKey }: SealOrder,
  { photographPages, missing }: Pick<RenderOutcome, 'photographPages' | 'missing'>,
): (path: string, sha256: string) => { sha256: string } {
  const content = Buffer.from(JSON.stringify(asDrawn(manifest, photographPages, missing), undefined, 1));
  const description = 'SHA-256 of every photograph, original and as printed, with its times, area and page';
  const createdAt = Date.parse(manifest.report.createdAt);
  attach(document, { name: MANIFEST_NAME, mediaType: 'application/json', description, content }, createdAt);
  const { line, signatureAt } = unsignedLine(privateKey);
  const position = sink.length + signatureAt;
  document._write(line);
  return (path, sha256) => ({ sha256: patchFile(path, position, signatureOf(privateKey, sha256)) });
}

/** Lays a definition out, draws its pages and writes its structure tree; the document is left open. */
export function drawInto(
  document: PdfDocument,
  definition: DocumentDefinition,
  library: FontLibrary,
  onProgress: (progress: RenderProgress) => void,
): Pick<RenderOutcome, 'pages' | 'photographPages' | 'placeholders' | 'missing'> {
  const margins = { left: PAGE.left, top: PAGE.top, right: PAGE.right, bottom: PAGE.bottom };
  const size = { width: PAGE.width, height: PAGE.height, orientation: 'portrait' };
  const layout = new Layout(library, size, margins);
  layout.registerTableLayouts(tableLayouts);
  layout.registerTableLayouts(TABLE_LAYOUTS);
  const pages = layout.layoutDocument([...definition.content], document, {}, {});
  const structure = new StructureTree(document, definition.structure);
  const renderer = new PageRenderer({ document, library, structure, nodesById: layout.nodesById });
  renderer.draw(pages, definition, onProgress);
  structure.write();
  const { photographPages, missing } = renderer;
  return { pages: pages.length, photographPages, placeholders: missing.length, missing };
}

/** The layout engine measures the logo: one that cannot be drawn is left out of the cover. */
function withDrawableLogo(job: RenderJob): { toDraw: ReportToDraw; warnings: Warning[] } {
  const { logo } = job.report.cover;
  if (logo === undefined || PdfDocument.canDraw(job.pictures, logo)) return { toDraw: job, warnings: [] };
  return {
    toDraw:
      job.template === 'inspection'
        ? { template: job.template, report: withoutLogo(job.report) }
        : { template: job.template, report: withoutLogo(job.report) },
    warnings: [
      {
        code: 'logo_not_drawn',
        message: 'The logo could not be drawn; the cover is without one.',
        path: 'meta.logo',
      },
    ],
  };
}

function withoutLogo<Report extends { cover: { logo?: string } }>(report: Report): Report {
  const { logo: _, ...cover } = report.cover;
  return { ...report, cover };
}

function attach(document: PdfDocument, attachment: Attachment, createdAt: number): void {
  document.file(Buffer.from(attachment.content), {
    name: attachment.name,
    type: attachment.mediaType,
    description: attachment.description,
    relationship: 'Data',
    creationDate: new Date(createdAt),
    modifiedDate: new Date(createdAt),
  });
}
