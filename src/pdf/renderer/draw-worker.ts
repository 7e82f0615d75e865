import { rmSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { isMainThread, type MessagePort } from 'node:worker_threads';
import type { Warning } from '../../common/warnings.js';
import {
  asDrawn,
  type EvidenceManifest,
  evidenceManifest,
  MANIFEST_NAME,
  sealEnvelope,
} from '../seal/evidence-manifest.js';
import { keyFingerprint, signatureOf, unsignedLine } from '../seal/seal-line.js';
import { templateNamed } from '../templates.js';
import { checkPage, type CodeSquares } from '../templates/check-page.js';
import type { DocumentDefinition } from '../templates/definition.js';
import type { BuiltDocument, PrintedPhotograph } from '../templates/template.js';
import { FileSink, patchFile } from './file/file-sink.js';
import { appendRevision } from './file/later-revision.js';
import { PdfDocument } from './file/pdf-document.js';
import { qrCode, SRGB_PROFILE } from './file/pdfmake-parts.js';
import { layOut } from './page/layout.js';
import { type DrawingProgress, PageRenderer } from './page/page-renderer.js';
import { StructureTree } from './page/structure-tree.js';
import type { ReportJob, ReportOutcome } from './render-job.js';
import { FontLibrary, unprintableCharacters } from './text/font-library.js';

/** The message to the worker: the job and a port for progress. */
export interface DrawTask {
  readonly job: ReportJob;
  readonly progress: MessagePort;
}

const PROGRESS_EVERY_MS = 150;

/** HTTP calls come first. On Linux a thread has a priority of its own; elsewhere this would be the whole process's. */
const NICE = 10;
if (!isMainThread && process.platform === 'linux') setPriority(NICE);

/** Parsed fonts stay cached for later documents, until the idle worker is ended. */
const library = new FontLibrary();

/** Draws one document at a time into its file; only figures go back. */
export default function draw({ job, progress }: DrawTask): ReportOutcome {
  let reportedAt = 0;
  const report = (at: DrawingProgress): void => {
    const now = performance.now();
    if (now - reportedAt < PROGRESS_EVERY_MS && at.page < at.pages) return;
    reportedAt = now;
    progress.postMessage(at);
  };
  try {
    const document = templateNamed(job.contents.details.type).build(job.contents);
    return drawDocument(document, job, library, report);
  } finally {
    progress.close();
  }
}

/** A text to be written into a finished file, over as many bytes. */
export interface AmendTask {
  readonly path: string;
  readonly position: number;
  readonly text: string;
}

/** Writes the text and returns the SHA-256 (hex) of the whole file, which only a worker reads through. */
export const amend = ({ path, position, text }: AmendTask): string =>
  patchFile(path, position, text).digest('hex');

/**
 * Draws and seals a report, and writes the signed list of evidence beside it. Synchronous, and blocks its thread.
 */
function drawDocument(
  built: BuiltDocument,
  job: ReportJob,
  library: FontLibrary,
  onProgress: (progress: DrawingProgress) => void,
): ReportOutcome {
  const { pictures, outputPath, mark, privateKey } = job;
  const sink = new FileSink(outputPath);
  try {
    // The layout engine measures the logo: one that cannot be drawn is left out of the cover.
    const withLogo = built.logo === undefined || PdfDocument.canDraw(pictures, built.logo);
    library.gaps.clear();
    const checkable = withCheckPage(built.document({ withLogo }), privateKey);
    const definition = { ...checkable, ...(mark === undefined ? {} : { mark }) };
    const document = PdfDocument.create(sink, pictures, definition.info);
    declareColours(document);
    const drawn = drawInto(document, definition, library, onProgress);
    const planned = evidenceManifest(built.evidence, job.contents.reports, job.contents.draft);
    const manifest = asDrawn(planned, drawn.photographPages, drawn.missing);
    attachManifest(document, manifest);
    const { line, signatureAt } = unsignedLine(privateKey);
    // Most of the file is before the seal, and is not hashed twice.
    const before = sink.checkpoint();
    document._write(line);
    document.end();
    const { bytes, sha256: unsigned } = sink.finish();
    const signature = signatureOf(privateKey, unsigned);
    const hash = patchFile(outputPath, before.position + signatureAt, signature, before);
    const sha256 = hash.copy().digest('hex');
    const later = job.revision && appendRevision(outputPath, hash, job.revision);
    const envelope = sealEnvelope(manifest, { bytes, sha256 }, privateKey);
    writeFileSync(job.evidencePath, JSON.stringify(envelope), { mode: 0o600 });
    return {
      ...{ bytes, sha256, ...(later ? { later } : {}), fileName: built.fileName },
      ...{ pages: drawn.pages, photographPages: drawn.photographPages },
      undrawn: drawn.missing.map((place) => namedPhotograph(built.evidence.photographs[place - 1]!)),
      warnings: [...(withLogo ? [] : [LOGO_NOT_DRAWN]), ...unprintableCharacters(library.gaps)],
      reportWarnings: built.warnings,
    };
  } catch (error) {
    sink.abandon();
    rmSync(outputPath, { force: true });
    throw error;
  }
}

const namedPhotograph = ({ photograph: { id, number }, source }: PrintedPhotograph) => ({
  id,
  name: source === undefined ? String(number) : `${number} ${source.side.toLowerCase()}`,
});

/** Appends the page that explains how to check the report. */
function withCheckPage(definition: DocumentDefinition, privateKey: string): DocumentDefinition {
  const fingerprint = keyFingerprint(privateKey);
  const page = checkPage(fingerprint, codeSquares(fingerprint), definition.structure);
  return { ...definition, content: [...definition.content, ...page] };
}

/** Returns the QR code of a text, without its margin: error correction M, in the smallest size that holds it. */
function codeSquares(text: string): CodeSquares {
  const { _canvas, _width } = qrCode.measure({ qr: text, eccLevel: 'M' });
  const [, ...black] = _canvas;
  const side = black[0]!.w;
  const count = _width / side;
  const rows = Array.from({ length: count }, () => Array.from({ length: count }, () => false));
  for (const { x, y } of black) rows[y / side]![x / side] = true;
  return rows;
}

function attachManifest(document: PdfDocument, manifest: EvidenceManifest): void {
  const createdAt = new Date(manifest.report.createdAt);
  document.file(Buffer.from(JSON.stringify(manifest, undefined, 1)), {
    name: MANIFEST_NAME,
    type: 'application/json',
    description: 'SHA-256 of every photograph, original and as printed, with its times, area and page',
    relationship: 'Data',
    creationDate: createdAt,
    modifiedDate: createdAt,
  });
}

const COLOUR_PROFILE = 'sRGB IEC61966-2.1';

/** Declares that the document's colours are sRGB, with the profile in the file (ISO 19005-3, 6.2.3). */
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

/** Lays a definition out, draws its pages and writes its structure tree. The document is left open. */
function drawInto(
  document: PdfDocument,
  definition: DocumentDefinition,
  library: FontLibrary,
  onProgress: (progress: DrawingProgress) => void,
) {
  const { pages, nodesById } = layOut(definition, document, library);
  const structure = new StructureTree(document, definition.structure);
  const renderer = new PageRenderer({ document, library, structure, nodesById });
  renderer.draw(pages, definition, onProgress);
  structure.write();
  const { photographPages, missing } = renderer;
  return { pages: pages.length, photographPages, missing };
}

const LOGO_NOT_DRAWN: Warning = {
  code: 'logo_not_drawn',
  message: 'The logo could not be drawn. The cover is without one.',
  path: 'meta.logo',
};
