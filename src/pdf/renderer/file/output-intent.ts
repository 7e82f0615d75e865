import { SRGB_PROFILE } from '../pdfmake-parts.js';
import type { PdfDocument } from './pdf-document.js';

const NAME = 'sRGB IEC61966-2.1';

/** Says which colours the document's numbers mean: sRGB, with the profile in the file (ISO 19005-3, 6.2.3). */
export function declareColours(document: PdfDocument): void {
  const profile = document.ref({ N: 3 });
  profile.end(SRGB_PROFILE());
  const intent = document.ref({
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    Info: new String(NAME),
    OutputConditionIdentifier: new String(NAME),
    DestOutputProfile: profile,
  });
  intent.end();
  document._root.data.OutputIntents = [intent];
}
