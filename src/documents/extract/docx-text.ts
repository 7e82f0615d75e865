import { readableText } from '../../flows/tools/readable-text.js';
import { unextractable } from './extracted-text.js';
import { entriesOf } from './zip-entries.js';

/** Bytes of all its parts but pictures, inflated. Their tree takes some ten times as much memory. */
const MOST_INFLATED = 32 * 1024 * 1024;

/** A cell is written as a paragraph, which would stand on a line of its own. */
const CELL_PARAGRAPHS = /(?<=<t[dh]>)<p>|<\/p>(?=<\/t[dh]>)/g;

/**
 * The paragraphs, lists and tables (a row a line) of a Word document. Throws `Unextractable` before anything is
 * inflated where the archive says that its parts are too large; one that lies meets the limits of the process.
 */
export async function docxText(bytes: Buffer): Promise<string> {
  let inflated = 0;
  for (const { name, size } of entriesOf(bytes)) if (/\.(xml|rels)$/i.test(name)) inflated += size;
  if (inflated > MOST_INFLATED)
    throw unextractable(
      'document_too_large',
      `The parts of the document are larger than ${MOST_INFLATED / 1024 / 1024} MB once unpacked. Send it in parts.`,
    );
  const { default: mammoth } = await import('mammoth');
  const convertImage = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));
  const { value } = await mammoth.convertToHtml({ buffer: bytes }, { convertImage });
  return readableText(value.replace(CELL_PARAGRAPHS, ''));
}
