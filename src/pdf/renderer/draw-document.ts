import { rmSync } from 'node:fs';
import type { DocumentDefinition } from '../templates/definition.js';
import { inspectionDocument } from '../templates/inspection/inspection-document.js';
import { PAGE } from '../templates/look.js';
import { TABLE_LAYOUTS } from '../templates/table-layouts.js';
import { FileSink } from './file-sink.js';
import { Layout } from './layout.js';
import { PageRenderer } from './page-renderer.js';
import { PdfDocument } from './pdf-document.js';
import { tableLayouts } from './pdfmake-parts.js';
import type { Attachment, RenderJob, RenderOutcome, RenderProgress } from './render-job.js';
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
    const { report, warnings } = withDrawableLogo(job);
    const definition = inspectionDocument(report);
    const document = PdfDocument.create(sink, job.pictures, definition.info);
    const drawn = drawInto(document, definition, library, onProgress);
    for (const attachment of job.attachments ?? []) attach(document, attachment, definition.info.createdAt);
    document.end();
    return { ...sink.finish(), ...drawn, warnings };
  } catch (error) {
    sink.abandon();
    rmSync(job.outputPath, { force: true });
    throw error;
  }
}

/** Lays a definition out, draws its pages and writes its structure tree; the document is left open. */
export function drawInto(
  document: PdfDocument,
  definition: DocumentDefinition,
  library: FontLibrary,
  onProgress: (progress: RenderProgress) => void,
): Pick<RenderOutcome, 'pages' | 'photographPages' | 'placeholders'> {
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
  const { photographPages, placeholders } = renderer;
  return { pages: pages.length, photographPages, placeholders };
}

/** The layout engine measures the logo: one that cannot be drawn is left out of the cover. */
function withDrawableLogo({ report, pictures }: RenderJob): {
  report: RenderJob['report'];
  warnings: string[];
} {
  const { logo, ...cover } = report.cover;
  if (logo === undefined || PdfDocument.canDraw(pictures, logo)) return { report, warnings: [] };
  return {
    report: { ...report, cover },
    warnings: ['The logo could not be drawn; the cover is without one.'],
  };
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
