import type { TagLook } from '../../templates/definition.js';
import { PALETTE, TAG_GROUND, TAG_INDENT } from '../../templates/look.js';
import { colorOperands } from './draw-runs.js';
import type { PlacedLine } from './placed-line.js';

/** The colour of letters on a filled tag. */
export const TAG_LETTERS = '#ffffff';

/** Height of a tag as a share of its line. */
const HEIGHT = 0.88;
const OUTLINES: Readonly<Record<Exclude<TagLook, 'solid'>, string>> = {
  quiet: PALETTE.hairline,
  outlined: PALETTE.ink,
};

/** Returns the operators of the frame or ground behind the words of a line: an artifact. */
export function tagGround(tag: TagLook, { line, size, set }: PlacedLine, x: number, y: number): string {
  const width = (line.width * size) / 1000 + 2 * TAG_INDENT;
  const lineHeight = size * set.style.lineHeight;
  const height = lineHeight * HEIGHT;
  const box = (inset: number): string =>
    [x + inset, y + (lineHeight - height) / 2 + inset, width - 2 * inset, height - 2 * inset]
      .map((value) => Math.round(value * 100) / 100)
      .join(' ');
  const drawn =
    tag === 'solid'
      ? `${colorOperands(TAG_GROUND)} rg ${box(0)} re f`
      : `q ${colorOperands(OUTLINES[tag])} RG 0.7 w ${box(0.35)} re S Q`;
  return `/Artifact BMC\n${drawn}\nEMC`;
}
