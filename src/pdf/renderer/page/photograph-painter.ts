import type { EmptySpot, PhotographVector, TextStyle } from '../../templates/definition.js';
import { CAPTION_NUMBER, CAPTION_STAMP, PALETTE, PLACEHOLDER, POINTS_A_DOT } from '../../templates/look.js';
import type { PdfDocument } from '../file/pdf-document.js';
import type { FontLibrary } from '../text/font-library.js';
import { segmentText } from '../text/segment-text.js';
import { colorOperands, drawBlank, drawRuns } from './draw-runs.js';
import { textFont } from './layout.js';
import type { StructureTree } from './structure-tree.js';

const CAPTION_DROP = 11.5;
const PLACEHOLDER_TEXT = 'This photograph could not be drawn';

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
    const { key, sha256, frameHeight, element, captionElement, label, stamp } = photograph;
    structure.place(element, x, y, w, frameHeight);
    const picture = key === null ? null : document.picture(key, sha256);
    const mat = `${colorOperands(PALETTE.mat)} rg ${fixed(x)} ${fixed(y)} ${fixed(w)} ${fixed(frameHeight)} re f`;
    let operators = `/Artifact BMC\n${mat}\nEMC\n${structure.begin(element)}\n`;
    if (picture) {
      document.page.xobjects[picture.label] ??= picture.obj;
      operators += placeWhole(picture, x, y, w, frameHeight);
    } else {
      operators += this.placeholder(x, y, w, frameHeight);
      this.missing.push(this.placed + 1);
    }
    const baseline = y + frameHeight + CAPTION_DROP;
    operators += `\nEMC\n${structure.begin(captionElement)}\n${this.text(label, CAPTION_NUMBER, x, baseline)}\n`;
    operators += `${drawBlank(document, this.library, x, baseline, CAPTION_NUMBER.size)}\n${this.text(stamp, CAPTION_STAMP, x + w, baseline, 1)}\nEMC`;
    document.addContent(operators);
    this.placed += 1;
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
