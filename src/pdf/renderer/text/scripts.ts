/** The scripts of the fonts: Unicode names with ISO 15924 codes. */
const SCRIPTS = Object.entries({
  Latin: 'Latn',
  Greek: 'Grek',
  Cyrillic: 'Cyrl',
  Arabic: 'Arab',
  Hebrew: 'Hebr',
  Armenian: 'Armn',
  Georgian: 'Geor',
  Ethiopic: 'Ethi',
  Devanagari: 'Deva',
  Bengali: 'Beng',
  Gurmukhi: 'Guru',
  Gujarati: 'Gujr',
  Tamil: 'Taml',
  Thai: 'Thai',
  Hangul: 'Hang',
  Han: 'Hani',
  Hiragana: 'Hira',
  Katakana: 'Kana',
  Bopomofo: 'Bopo',
}).map(([name, code]) => ({ code, letters: new RegExp(`\\p{Script=${name}}`, 'u') }));

/** The code of signs and marks that several scripts share, and of letters of no font. */
export const COMMON = 'Zyyy';

const known = new Map<number, string>();

/** Returns the code of a letter's script. */
export function scriptOf(codePoint: number): string {
  let script = known.get(codePoint);
  if (script === undefined) {
    const letter = String.fromCodePoint(codePoint);
    script = SCRIPTS.find(({ letters }) => letters.test(letter))?.code ?? COMMON;
    known.set(codePoint, script);
  }
  return script;
}

export const runsRightToLeft = (script: string): boolean => script === 'Arab' || script === 'Hebr';
