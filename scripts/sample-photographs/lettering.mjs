/** Text as outlines from the report's own fonts, so that the pictures need no font of the machine's. */
import { openSync } from 'fontkit';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const fonts = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'assets', 'fonts');
const faces = new Map();

function face(weight) {
  const name = weight === 'bold' ? 'SourceSans3-SemiBold.ttf' : 'SourceSans3-Regular.ttf';
  if (!faces.has(name)) faces.set(name, openSync(join(fonts, name)));
  return faces.get(name);
}

/** An SVG group with `text` whose baseline begins at (x, y); `anchor` middle centres it on x. */
export function lettering(
  text,
  { x, y, size, fill = '#222', weight = 'regular', anchor = 'start', spacing = 0, extra = '' },
) {
  const font = face(weight);
  const scale = size / font.unitsPerEm;
  const glyphs = [];
  let advance = 0;
  for (const { glyphs: laidOut, positions } of [font.layout(text)])
    laidOut.forEach((glyph, index) => {
      glyphs.push(`<path transform="translate(${advance} 0)" d="${glyph.path.toSVG()}"/>`);
      advance += positions[index].xAdvance + spacing / scale;
    });
  const start = anchor === 'middle' ? x - (advance * scale) / 2 : x;
  return `<g transform="translate(${start.toFixed(1)} ${y}) scale(${scale} ${-scale})" fill="${fill}" ${extra}>${glyphs.join('')}</g>`;
}
