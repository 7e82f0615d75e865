/**
 * Languages by script; for scripts of several languages, the most common one. Latin and Cyrillic letters imply none.
 */
const LANGUAGES: readonly (readonly [first: number, last: number, language: string])[] = [
  [0x370, 0x3ff, 'el'],
  [0x530, 0x58f, 'hy'],
  [0x590, 0x5ff, 'he'],
  [0x600, 0x6ff, 'ar'],
  [0x750, 0x77f, 'ar'],
  [0x870, 0x8ff, 'ar'],
  [0x980, 0x9ff, 'bn'],
  [0xa00, 0xa7f, 'pa'],
  [0xa80, 0xaff, 'gu'],
  [0xb80, 0xbff, 'ta'],
  [0xe00, 0xe7f, 'th'],
  [0x10a0, 0x10ff, 'ka'],
  [0x1100, 0x11ff, 'ko'],
  [0x1200, 0x139f, 'am'],
  [0x1c90, 0x1cbf, 'ka'],
  [0x1f00, 0x1fff, 'el'],
  [0x2d00, 0x2d2f, 'ka'],
  [0x2d80, 0x2ddf, 'am'],
  [0x3040, 0x30ff, 'ja'],
  [0x3130, 0x318f, 'ko'],
  [0x31f0, 0x31ff, 'ja'],
  [0x3400, 0x4dbf, 'zh'],
  [0x4e00, 0x9fff, 'zh'],
  [0xab00, 0xab2f, 'am'],
  [0xac00, 0xd7af, 'ko'],
  [0xf900, 0xfaff, 'zh'],
  [0xfb13, 0xfb17, 'hy'],
  [0xfb1d, 0xfb4f, 'he'],
  [0xfb50, 0xfdff, 'ar'],
  [0xfe70, 0xfefc, 'ar'],
  [0x20000, 0x3ffff, 'zh'],
];

/** Returns the language of a letter (BCP 47) if its script implies one. */
export function languageOf(codePoint: number): string | undefined {
  if (codePoint < 0x370) return undefined;
  return LANGUAGES.find(([first, last]) => codePoint >= first && codePoint <= last)?.[2];
}

const KANA = /[\u3040-\u30ff\u31f0-\u31ff]/;

/** Returns true for a text with kana, whose Chinese characters are Japanese. */
export const hasKana = (text: string): boolean => KANA.test(text);
