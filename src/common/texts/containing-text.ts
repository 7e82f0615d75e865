/** SQL for a condition, with the values of its placeholders in order. */
interface TextCondition {
  sql: string;
  values: string[];
}

/**
 * Returns a condition that holds when a column contains the text, ignoring case in every script; `%` and `_` are literal.
 * It matches the same rows on both databases. Their rules for case differ, so they compare only ASCII (SQLite knows no
 * other letters and ignores the collation), and the other letters of the text are replaced one by one. A letter whose
 * counterpart is not one character (ß) matches only itself.
 */
export function containing(columns: readonly string[], text: string): TextCondition {
  const letters = [...text].map(lowerCase);
  const forms = otherForms(text);
  const replaced = (column: string) => forms.reduce((sql) => `REPLACE(${sql}, ?, ?)`, column);
  const conditions = columns.map((column) => `LOWER(${replaced(column)} COLLATE "C") LIKE ? ESCAPE '!'`);
  const pattern = `%${letters.join('').replaceAll(/[!%_]/g, '!$&')}%`;
  return {
    sql: `(${conditions.join(' OR ')})`,
    values: columns.flatMap(() => [...forms.flat(), pattern]),
  };
}

/** Returns the letters beyond ASCII that equal a letter of the text, each with its lower case. */
function otherForms(text: string): [string, string][] {
  const forms = new Map<string, string>();
  for (const character of text) {
    const lower = lowerCase(character);
    for (const form of [character, upperCase(lower)])
      if (form !== lower && form > '\x7f') forms.set(form, lower);
  }
  return [...forms];
}

const lowerCase = (character: string): string => alone(character.toLowerCase()) ?? character;
const upperCase = (character: string): string => alone(character.toUpperCase()) ?? character;

const alone = (text: string): string | undefined => ([...text].length === 1 ? text : undefined);
