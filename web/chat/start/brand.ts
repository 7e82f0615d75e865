/** The branding that the flow's owner chose. */
export interface Brand {
  /** `#rrggbb` */
  colour?: string;
  /** The logo's URL on this service. */
  logo?: string;
}

/** The page's colours next to the brand's, as `#rrggbb`. */
export interface Surroundings {
  /** Backgrounds of text in the brand's colour. */
  grounds: readonly string[];
  dark: boolean;
}

type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** Contrast ratios: WCAG 2.2 AA for text, and the least for a shape to be seen. */
const READABLE = 4.5;
const VISIBLE = 1.5;
const STEPS = 50;

/**
 * Returns the page's accent tokens for a brand's colour. The colour is moved toward black or white only until it is
 * visible on the page and, for text, readable (WCAG 2.2 AA).
 */
export function accentOf(colour: string, { grounds, dark }: Surroundings): Record<string, string> {
  const around = grounds.map(rgbOf);
  const away = dark ? WHITE : BLACK;
  const accent = movedUntil(rgbOf(colour), away, (moved) =>
    around.every((ground) => contrast(moved, ground) >= VISIBLE),
  );
  const onAccent = contrast(accent, WHITE) >= READABLE ? WHITE : BLACK;
  const soft = mixed(around[0] ?? WHITE, accent, dark ? 0.22 : 0.12);
  const words = movedUntil(accent, away, (moved) =>
    [...around, soft].every((ground) => contrast(moved, ground) >= READABLE),
  );
  return {
    '--accent': hexOf(accent),
    '--accent-hover': hexOf(mixed(accent, onAccent === WHITE ? BLACK : WHITE, 0.16)),
    '--on-accent': hexOf(onAccent),
    '--accent-text': hexOf(words),
    '--accent-soft': hexOf(soft),
  };
}

/** Applies the brand's colour, and again whenever the system switches between light and dark. */
export function wearBrand({ colour }: Brand): void {
  if (colour === undefined) return;
  const root = document.documentElement;
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const wear = () => {
    const grounds = ['--surface', '--ground'].map(shownColour);
    for (const [token, value] of Object.entries(accentOf(colour, { grounds, dark: prefersDark.matches })))
      root.style.setProperty(token, value);
  };
  wear();
  prefersDark.addEventListener('change', wear);
}

/** Returns the computed colour of a token as `#rrggbb`. */
function shownColour(token: string): string {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = `var(${token})`;
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number);
  probe.remove();
  return hexOf([red, green, blue]);
}

function movedUntil(colour: Rgb, toward: Rgb, good: (colour: Rgb) => boolean): Rgb {
  for (let step = 0; step < STEPS; step++) {
    const moved = mixed(colour, toward, step / STEPS);
    if (good(moved)) return moved;
  }
  return toward;
}

const rgbOf = (hex: string): Rgb => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

const mixed = (from: Rgb, to: Rgb, share: number): Rgb => {
  const part = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [part(0), part(1), part(2)];
};

/** Returns the WCAG 2.2 contrast ratio, 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return contrast(rgbOf(one), rgbOf(other));
}

function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((left, right) => right - left) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
