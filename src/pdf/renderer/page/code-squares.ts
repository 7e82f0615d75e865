import type { CodeSquares } from '../../templates/check-page.js';
import { qrCode } from '../pdfmake-parts.js';

/** The QR code of a text, without its margin: error correction M, in the smallest size that takes it. */
export function codeSquares(text: string): CodeSquares {
  const { _canvas, _width } = qrCode.measure({ qr: text, eccLevel: 'M' });
  const [, ...black] = _canvas;
  const side = black[0]!.w;
  const count = _width / side;
  const rows = Array.from({ length: count }, () => Array.from({ length: count }, () => false));
  for (const { x, y } of black) rows[y / side]![x / side] = true;
  return rows;
}
