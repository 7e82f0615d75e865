/** The trade's short forms, and what they stand for when it is decided what words are: they are noted as they were typed. */
const ABBREVIATIONS = [
  [/\bn\/w\b/g, 'not working'],
  [/\bn\/a\b/g, 'not present'],
  [/\bn\/t\b/g, 'not tested'],
  [/\bb\/i\b/g, 'built-in'],
  [/\bc\/i\b|(?<=\b(?:per|at|since|as) )ci\b/g, 'check-in'],
  [/(?<=\b(?:per|at|since|as|from) )inv\b/g, 'inventory'],
  [/\bno ch\b\.?/g, 'no change'],
  [/\b(?:f\/f|ff)(?= )/g, 'fridge freezer'],
  [/\be\/f\b|\bx-?fan\b/g, 'extractor fan'],
  [/\bs\/s\b/g, 'steel'],
  [/\bfw ?(?:& ?)?t\b/g, 'fair wear and tear'],
  [/\bvg\b/g, 'very good'],
  [/\bcond\b\.?/g, 'condition'],
  [/\bwkg\b/g, 'working'],
  [/\bdw\b/g, 'dishwasher'],
  [/\bwm\b/g, 'washer'],
  [/\btd\b/g, 'dryer'],
  [/\b(?:upvc )?dg\b/g, 'glazing'],
  [/\bgch\b/g, 'heating'],
  [/\bcpt\b/g, 'carpet'],
  [/\bwdw\b/g, 'window'],
  [/\bmtr\b/g, 'meter'],
  [/\brdg\b/g, 'reading'],
];

function withoutAbbreviations(words) {
  return ABBREVIATIONS.reduce((all, [short, whole]) => all.replace(short, whole), words);
}

function tidied(words) {
  const plainly = words
    .slice(0, 300)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02BC]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/[\s.!,;:]+$/, '')
    .trim();
  return withoutAbbreviations(withApostrophes(plainly));
}
