import type { Warning } from '../../common/warnings.js';
import { encrypted } from './document-kind.js';
import { MOST_TEXT_LENGTH, unextractable, textTooLong } from './extraction-terms.js';

/** A piece of text on a page; the last two numbers of `transform` are its position in points from the bottom left. */
interface PageItem {
  readonly str: string;
  readonly transform: readonly number[];
  readonly height: number;
  readonly hasEOL: boolean;
}

/** The part of the reader's types that is used here. Those of the package need a package that is not installed. */
interface PdfFile {
  readonly numPages: number;
  getPage(number: number): Promise<PdfPage>;
}

interface PdfPage {
  getTextContent(): Promise<{ items: readonly (PageItem | { readonly type: string })[] }>;
  cleanup(): void;
}

const MOST_PAGES = 5_000;
/** The distance of lines, in heights of their letters, from which a new paragraph begins. */
const PARAGRAPH_GAP = 1.9;

/** Returns the text of a PDF, its pages separated like paragraphs. Throws `Unextractable`: too many pages, a password, no text. */
export async function pdfText(bytes: Uint8Array): Promise<{ text: string; warnings: Warning[] }> {
  const { getDocumentProxy } = await import('unpdf');
  const opening = getDocumentProxy(bytes, { verbosity: 0 }) as Promise<PdfFile>;
  const pdf = await opening.catch(asFault);
  if (pdf.numPages > MOST_PAGES)
    throw unextractable('document_too_large', `The PDF has more than ${MOST_PAGES} pages. Send it in parts.`);
  const pages: string[] = [];
  let [length, silent] = [0, 0];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number).catch(asFault);
    const { items } = await page.getTextContent();
    const text = pageText(items.filter((item) => 'str' in item));
    page.cleanup();
    if (text === '') silent += 1;
    length += text.length + 2;
    if (length > MOST_TEXT_LENGTH) throw textTooLong();
    pages.push(text);
  }
  if (silent === pages.length)
    throw unextractable(
      'document_without_text',
      'The PDF has no text, only pictures, like a scan. Run text recognition (OCR) on it and send it again.',
    );
  const message = 'Pages without text, such as scans, were left out.';
  const warnings = silent === 0 ? [] : [{ code: 'pages_without_text', message, count: silent }];
  return { text: pages.filter((text) => text !== '').join('\n\n'), warnings };
}

function pageText(items: readonly PageItem[]): string {
  let text = '';
  let line: PageItem | undefined;
  for (const item of items) {
    if (line && text.endsWith('\n') && item.str !== '') {
      const gap = Math.abs(line.transform[5]! - item.transform[5]!);
      if (gap > PARAGRAPH_GAP * Math.max(line.height, item.height)) text += '\n';
    }
    if (item.str !== '') line = item;
    text += item.str + (item.hasEOL ? '\n' : '');
  }
  return text.trim();
}

function asFault(error: unknown): never {
  const { name } = error as Error;
  if (name === 'PasswordException') throw encrypted();
  if (error instanceof RangeError) throw error;
  throw unextractable(
    'document_unreadable',
    'The PDF is damaged or incomplete. Send it again, or save it again first.',
  );
}
