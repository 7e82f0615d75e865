import { fileURLToPath } from 'node:url';
import type { Weight } from '../../templates/definition.js';

/** A font file and the code points for which it is opened. The first font of the list that has a glyph is used. */
export interface ListedFont {
  readonly name: string;
  readonly file: string;
  /** Inclusive ranges. The font is not read before a text needs one of these. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

const FOLDER = new URL('../../../../assets/fonts/', import.meta.url);
const EVERYTHING = [[0, 0x10ffff]] as const;
const ARABIC = [
  [0x600, 0x6ff],
  [0x750, 0x77f],
  [0x870, 0x8ff],
  [0xfb50, 0xfdff],
  [0xfe70, 0xfeff],
] as const;
const HEBREW = [
  [0x590, 0x5ff],
  [0xfb1d, 0xfb4f],
] as const;
const ARMENIAN = [
  [0x530, 0x58f],
  [0xfb13, 0xfb17],
] as const;
const GEORGIAN = [
  [0x10a0, 0x10ff],
  [0x1c90, 0x1cbf],
  [0x2d00, 0x2d2f],
] as const;
const ETHIOPIC = [
  [0x1200, 0x139f],
  [0x2d80, 0x2ddf],
  [0xab00, 0xab2f],
] as const;
const CJK = [
  [0x1100, 0x11ff],
  [0x2190, 0x27bf],
  [0x2e80, 0xd7ff],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xffef],
  [0x20000, 0x3ffff],
] as const;
const SYMBOLS = [
  [0x2000, 0x2bff],
  [0x1f000, 0x1faff],
] as const;

const font = (name: string, ranges: ListedFont['ranges']): ListedFont => ({
  name,
  file: fileURLToPath(new URL(`${name}.ttf`, FOLDER)),
  ranges,
});

/** The font of all emoji, which has pictures for the sequences of Unicode. */
export const EMOJI = font('NotoEmoji-Regular', SYMBOLS);

const FALLBACKS: readonly ListedFont[] = [
  font('NotoSans-Regular', [
    [0, 0x1fff],
    [0x2000, 0x2bff],
    [0xa640, 0xa7ff],
    [0xa8e0, 0xabff],
    [0xfff0, 0xffff],
  ]),
  font('NotoSansBengali-Regular', [[0x980, 0x9ff]]),
  font('NotoSansGurmukhi-Regular', [[0xa00, 0xa7f]]),
  font('NotoSansGujarati-Regular', [[0xa80, 0xaff]]),
  font('NotoSansTamil-Regular', [[0xb80, 0xbff]]),
  font('NotoSansThai-Regular', [[0xe00, 0xe7f]]),
  font('NotoSansSC-Regular', CJK),
  font('NotoSansKR-Regular', CJK),
  EMOJI,
  font('NotoSansSymbols-Regular', SYMBOLS),
];

/** The fonts of each weight in order of preference. All of them are of the service, none of the system. */
export const FONTS: Readonly<Record<Weight, readonly ListedFont[]>> = {
  regular: [
    font('SourceSans3-Regular', EVERYTHING),
    font('NotoSansArabic-Regular', ARABIC),
    font('NotoSansHebrew-Regular', HEBREW),
    font('NotoSansArmenian-Regular', ARMENIAN),
    font('NotoSansGeorgian-Regular', GEORGIAN),
    font('NotoSansEthiopic-Regular', ETHIOPIC),
    ...FALLBACKS,
  ],
  semibold: [
    font('SourceSans3-SemiBold', EVERYTHING),
    font('NotoSansArabic-SemiBold', ARABIC),
    font('NotoSansHebrew-SemiBold', HEBREW),
    font('NotoSansArmenian-SemiBold', ARMENIAN),
    font('NotoSansGeorgian-SemiBold', GEORGIAN),
    font('NotoSansEthiopic-SemiBold', ETHIOPIC),
    ...FALLBACKS,
  ],
};
