/** The contrast of WCAG 2.2 AA for text on white. It depends on luminance, so it also holds in grey. */
const READABLE = 4.5;
const STEPS = 50;

type Rgb = readonly [red: number, green: number, blue: number];

/**
 * Returns the printed colour of a brand (`#rrggbb`): darkened only as far as needed for text in it to be readable on white
 * paper.
 */
export function printedAccent(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  for (let step = 0; step < STEPS; step++) {
    const darker = [red, green, blue].map((part) => Math.round(part * (1 - step / STEPS)));
    if (1.05 / (luminance(darker as unknown as Rgb) + 0.05) >= READABLE) return hex(darker);
  }
  return '#000000';
}

const hex = (parts: readonly number[]): string =>
  `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** Returns the relative luminance of WCAG 2.2, from 0 to 1. */
function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
