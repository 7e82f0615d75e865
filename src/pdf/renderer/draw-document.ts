import { rmSync } from 'node:fs';
import type { Warning } from '../../common/warnings.js';
import { MANIFEST_NAME, asDrawn } from '../seal/evidence-manifest.js';
import { keyFingerprint, signatureOf, unsignedLine } from '../seal/seal-line.js';
import { checkPage, type CodeSquares } from '../templates/check-page.js';
import type { DocumentDefinition } from '../templates/definition.js';
import type { BuiltDocument } from '../templates/template.js';
import { FileSink, patchFile } from './file/file-sink.js';
import { appendRevision } from './file/later-revision.js';
import { PdfDocument } from './file/pdf-document.js';
import { qrCode, SRGB_PROFILE } from './file/pdfmake-parts.js';
import { layOut } from './page/layout.js';
import { type DrawingProgress, PageRenderer } from './page/page-renderer.js';
import { StructureTree } from './page/structure-tree.js';
import type { DrawOrder, EmbeddedFile, RenderOutcome, SealOrder } from './render-job.js';
import { type FontLibrary, unprintableCharacters } from './text/font-library.js';

/** Synchronous, and blocks its thread: runs in the drawing worker only. */
export function drawDocument(
  built: BuiltDocument,
  job: DrawOrder,
  library: FontLibrary,
  onProgress: (progress: DrawingProgress) => void,
): RenderOutcome {
  const sink = new FileSink(job.outputPath);
  try {
    // The layout engine measures the logo: one that cannot be drawn is left out of the cover.
    const withLogo = built.logo === undefined || PdfDocument.canDraw(job.pictures, built.logo);
    const { mark } = job;
    library.gaps.clear();
    const unsealed = built.document({ withLogo });
    const sealed = job.seal ? withCheckPage(unsealed, job.seal) : unsealed;
    const definition = { ...sealed, ...(mark === undefined ? {} : { mark }) };
    const document = PdfDocument.create(sink, job.pictures, definition.info);
    declareColours(document);
    const drawn = drawInto(document, definition, library, onProgress);
    const seal = job.seal && beginSeal(document, sink, job.seal, drawn);
    document.end();
    const written = sink.finish();
    return {
      ...written,
      ...seal?.(job.outputPath, written.sha256),
      ...drawn,
      warnings: [...(withLogo ? [] : [LOGO_NOT_DRAWN]), ...unprintableCharacters(library.gaps)],
    };
  } catch (error) {
    sink.abandon();
    rmSync(job.outputPath, { force: true });
    throw error;
  }
}

/** A sealed document says on its last page how it is checked. */
function withCheckPage(definition: DocumentDefinition, { privateKey }: SealOrder): DocumentDefinition {
  const fingerprint = keyFingerprint(privateKey);
  const page = checkPage(fingerprint, codeSquares(fingerprint), definition.structure);
  return { ...definition, content: [...definition.content, ...page] };
}

/** The QR code of a text, without its margin: error correction M, in the smallest size that takes it. */
function codeSquares(text: string): CodeSquares {
  const { _canvas, _width } = qrCode.measure({ qr: text, eccLevel: 'M' });
  const [, ...black] = _canvas;
  const side = black[0]!.w;
  const count = _width / side;
  const rows = Array.from({ length: count }, () => Array.from({ length: count }, () => false));
  for (const { x, y } of black) rows[y / side]![x / side] = true;
  return rows;
}

/** Attaches the evidence and leaves room for the signature; what it answers signs the finished file. */
function beginSeal(
  document: PdfDocument,
  sink: FileSink,
  { manifest, privateKey, revision }: SealOrder,
  { photographPages, missing }: Pick<RenderOutcome, 'photographPages' | 'missing'>,
): (path: string, sha256: string) => Pick<RenderOutcome, 'sha256' | 'later'> {
  const content = Buffer.from(JSON.stringify(asDrawn(manifest, photographPages, missing), undefined, 1));
  const description = 'SHA-256 of every photograph, original and as printed, with its times, area and page';
  const createdAt = Date.parse(manifest.report.createdAt);
  attach(document, { name: MANIFEST_NAME, mediaType: 'application/json', description, content }, createdAt);
  const { line, signatureAt } = unsignedLine(privateKey);
  const position = sink.length + signatureAt;
  document._write(line);
  return (path, sha256) => {
    const hash = patchFile(path, position, signatureOf(privateKey, sha256));
    const sealed = { sha256: hash.copy().digest('hex') };
    return revision ? { ...sealed, later: appendRevision(path, hash, revision) } : sealed;
  };
}

const COLOUR_PROFILE = 'sRGB IEC61966-2.1';

/** Says which colours the document's numbers mean: sRGB, with the profile in the file (ISO 19005-3, 6.2.3). */
function declareColours(document: PdfDocument): void {
  const profile = document.ref({ N: 3 });
  profile.end(SRGB_PROFILE());
  const intent = document.ref({
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    Info: new String(COLOUR_PROFILE),
    OutputConditionIdentifier: new String(COLOUR_PROFILE),
    DestOutputProfile: profile,
  });
  intent.end();
  document._root.data.OutputIntents = [intent];
}

/** Lays a definition out, draws its pages and writes its structure tree; the document is left open. */
export function drawInto(
  document: PdfDocument,
  definition: DocumentDefinition,
  library: FontLibrary,
  onProgress: (progress: DrawingProgress) => void,
): Pick<RenderOutcome, 'pages' | 'photographPages' | 'placeholders' | 'missing'> {
  const { pages, nodesById } = layOut(definition, document, library);
  const structure = new StructureTree(document, definition.structure);
  const renderer = new PageRenderer({ document, library, structure, nodesById });
  renderer.draw(pages, definition, onProgress);
  structure.write();
  const { photographPages, missing } = renderer;
  return { pages: pages.length, photographPages, placeholders: missing.length, missing };
}

const LOGO_NOT_DRAWN: Warning = {
  code: 'logo_not_drawn',
  message: 'The logo could not be drawn; the cover is without one.',
  path: 'meta.logo',
};

function attach(document: PdfDocument, attachment: EmbeddedFile, createdAt: number): void {
  document.file(Buffer.from(attachment.content), {
    name: attachment.name,
    type: attachment.mediaType,
    description: attachment.description,
    relationship: 'Data',
    creationDate: new Date(createdAt),
    modifiedDate: new Date(createdAt),
  });
}
