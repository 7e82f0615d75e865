import { cutText } from '../../../common/texts/cut-text.js';
import type {
  EmptySpot,
  PhotographSpot,
  PhotographVector,
  StructureElement,
  TextStyle,
  ThumbnailVector,
} from '../../templates/definition.js';
import { CAPTION_NUMBER, CAPTION_STAMP, PALETTE, PLACEHOLDER, POINTS_A_DOT } from '../../templates/look.js';
import type { PdfDocument } from '../file/pdf-document.js';
import type { FontLibrary } from '../text/font-library.js';
import { type GlyphRun, segmentText } from '../text/segment-text.js';
import { wrapText } from '../text/wrap-text.js';
import { colorOperands, drawBlank, drawRuns } from './draw-runs.js';
import { annotateLink } from './link-annotation.js';
import { textFont } from './set-lines.js';
import type { StructureTree } from './structure-tree.js';

const CAPTION_DROP = 11.5;
const CAPTION_LINE = 15;
/** Points between the words at the left and the stamp. */
const CAPTION_GAP = 7;
/** Points below which no item is printed, and characters of which a line is made. */
const LEAST_SUBJECT = 24;
const LONGEST_SUBJECT = 120;
const PLACEHOLDER_TEXT = 'This photograph could not be drawn';

/** A short text with its runs and its width in points. */
interface SetWords {
  readonly runs: readonly GlyphRun[];
  readonly style: TextStyle;
  readonly width: number;
}

/**
 * Draws a photograph in its frame: the whole picture, centred on a pale mat, with its number and stamp below. A missing or
 * unreadable picture is replaced by a framed placeholder with the same number and stamp. An empty place is a thin frame
 * around its words and is not counted.
 */
export class PhotographPainter {
  placed = 0;
  /** Places, from 1, of the photographs that print a placeholder. */
  readonly missing: number[] = [];

  constructor(
    private readonly document: PdfDocument,
    private readonly library: FontLibrary,
    private readonly structure: StructureTree,
  ) {}

  draw(vector: PhotographVector): void {
    const { x, y, w, photograph } = vector;
    if ('words' in photograph) return this.drawEmpty(vector, photograph);
    const { document, structure } = this;
    const { key, sha256, frameHeight, element } = photograph;
    structure.place(element, x, y, w, frameHeight);
    if (photograph.id !== undefined) document.addNamedDestination(photograph.id, 'XYZ', x, y - 8, null);
    const picture = key === null ? null : document.picture(key, sha256);
    let operators = `/Artifact BMC\n${mat(x, y, w, frameHeight)}\nEMC\n${structure.begin(element)}\n`;
    if (picture) {
      document.page.xobjects[picture.label] ??= picture.obj;
      operators += placeWhole(picture, x, y, w, frameHeight);
    } else {
      operators += this.placeholder(x, y, w, frameHeight);
      this.missing.push(this.placed + 1);
    }
    document.addContent(`${operators}\nEMC\n${this.caption(photograph, x, y + frameHeight, w)}`);
    this.placed += 1;
  }

  /** Returns the operators of the number with its item, which link to their row, and of the stamp at the right edge. */
  private caption(spot: PhotographSpot, x: number, top: number, w: number): string {
    const { document, structure, library } = this;
    const { captionElement, label, subject, row, stamp } = spot;
    const baseline = top + CAPTION_DROP;
    const [number, time] = [this.set(label, CAPTION_NUMBER), this.set(stamp, CAPTION_STAMP)];
    const gap = stamp === '' ? 0 : CAPTION_GAP;
    // In a narrow column both are smaller rather than over each other.
    const scale = Math.min(1, (w - gap) / (number.width + time.width));
    const [numberWidth, timeWidth] = [number.width * scale, time.width * scale];
    const item =
      subject === undefined ? undefined : this.cut(` · ${subject}`, w - numberWidth - timeWidth - gap);
    const draw = ({ runs, style }: SetWords, at: number): string =>
      drawRuns(document, runs, at, baseline, style.size * scale, style.color);
    const words = [draw(number, x), ...(item ? [draw(item, x + numberWidth)] : [])].join('\n');
    const blank = drawBlank(document, library, x, baseline, CAPTION_NUMBER.size);
    const after = stamp === '' ? '' : `\n${blank}\n${draw(time, x + w - timeWidth)}`;
    if (row === undefined) return `${structure.begin(captionElement)}\n${words}${after}\nEMC`;
    const link: StructureElement = { role: 'Link', children: [] };
    const linked = `${structure.beginWithin(captionElement, link)}\n${words}\nEMC`;
    const place = { left: x, top, right: x + numberWidth + (item?.width ?? 0), bottom: top + CAPTION_LINE };
    annotateLink(document, structure, link, place, { block: row, description: `${label} in its table` });
    return after === '' ? linked : `${linked}\n${structure.begin(captionElement)}${after}\nEMC`;
  }

  private set(value: string, style: TextStyle): SetWords {
    const runs = segmentText(value, textFont(this.library, style));
    return { runs, style, width: (runs.reduce((sum, run) => sum + run.width, 0) * style.size) / 1000 };
  }

  /** Returns one line of a text, with an ellipsis if it is longer; undefined if there is no space for words. */
  private cut(value: string, room: number): SetWords | undefined {
    if (room < LEAST_SUBJECT) return undefined;
    const font = textFont(this.library, CAPTION_STAMP);
    const flat = cutText(value, LONGEST_SUBJECT).replace(/\s+/g, ' ');
    const whole = this.set(flat, CAPTION_STAMP);
    if (whole.width <= room && value.length <= LONGEST_SUBJECT) return whole;
    const dots = this.set('…', CAPTION_STAMP);
    const first = wrapText(flat, font, ((room - dots.width) * 1000) / CAPTION_STAMP.size).next();
    if (first.done) return undefined;
    const runs = [...first.value.runs, ...dots.runs];
    return {
      runs,
      style: CAPTION_STAMP,
      width: (first.value.width * CAPTION_STAMP.size) / 1000 + dots.width,
    };
  }

  /** Draws a small copy of a photograph; one that cannot be drawn leaves its mat. */
  drawThumbnail({ x, y, w, h, thumbnail }: ThumbnailVector): void {
    const { document, structure } = this;
    const { key, sha256, link, figure, block } = thumbnail;
    const picture = key === null ? null : document.picture(key, sha256);
    document.addContent(`/Artifact BMC\n${mat(x, y, w, h)}\nEMC`);
    if (!picture) return;
    document.page.xobjects[picture.label] ??= picture.obj;
    structure.place(figure, x, y, w, h);
    const drawn = `q 1 0 0 1 ${fixed(x)} ${fixed(y)} cm ${placeWhole(picture, 0, 0, w, h)} Q`;
    document.addContent(`${structure.begin(figure)}\n${drawn}\nEMC`);
    const description = figure.alternative ?? '';
    annotateLink(document, structure, link, { left: x, top: y, right: x + w, bottom: y + h }, { block, description }); // prettier-ignore
  }

  private drawEmpty({ x, y, w }: PhotographVector, { words, frameHeight, element }: EmptySpot): void {
    const frame = framed(PALETTE.hairline, x, y, w, frameHeight);
    const text = this.text(words, PLACEHOLDER, x + w / 2, y + frameHeight / 2 + 3, 0.5);
    this.document.addContent(`/Artifact BMC\n${frame}\nEMC\n${this.structure.begin(element)}\n${text}\nEMC`);
  }

  private placeholder(x: number, y: number, w: number, height: number): string {
    const frame = framed(PALETTE.muted, x, y, w, height);
    return `${frame}\n${this.text(PLACEHOLDER_TEXT, PLACEHOLDER, x + w / 2, y + height / 2 + 3, 0.5)}`;
  }

  /** Draws a text; `share` is the part of its width to the left of x. */
  private text(value: string, style: TextStyle, x: number, baseline: number, share = 0): string {
    const runs = segmentText(value, textFont(this.library, style));
    const width = (runs.reduce((sum, run) => sum + run.width, 0) * style.size) / 1000;
    return drawRuns(this.document, runs, x - share * width, baseline, style.size, style.color);
  }
}

const mat = (x: number, y: number, w: number, h: number): string =>
  `${colorOperands(PALETTE.mat)} rg ${fixed(x)} ${fixed(y)} ${fixed(w)} ${fixed(h)} re f`;

function framed(color: string, x: number, y: number, w: number, h: number): string {
  const rect = [x + 0.5, y + 0.5, w - 1, h - 1].map(fixed).join(' ');
  return `q ${colorOperands(color)} RG 0.75 w ${rect} re S Q`;
}

function placeWhole(
  { label, width, height }: { label: string; width: number; height: number },
  x: number,
  y: number,
  w: number,
  h: number,
): string {
  const scale = Math.min(w / width, h / height, POINTS_A_DOT);
  const [drawnWidth, drawnHeight] = [width * scale, height * scale];
  const left = x + (w - drawnWidth) / 2;
  const bottom = y + (h + drawnHeight) / 2;
  return `q ${fixed(drawnWidth)} 0 0 ${fixed(-drawnHeight)} ${fixed(left)} ${fixed(bottom)} cm /${label} Do Q`;
}

const fixed = (value: number): string => String(Math.round(value * 100) / 100);
