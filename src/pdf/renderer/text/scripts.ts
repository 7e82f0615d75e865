/** Scripts of the fonts by their names in Unicode, with their codes in ISO 15924. */
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

/** Signs and marks that several scripts share, and letters of no font. */
export const COMMON = 'Zyyy';

const known = new Map<number, string>();

/** The code of a letter's script. */
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
