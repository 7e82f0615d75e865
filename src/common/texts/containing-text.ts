/** SQL for a condition, with the values of its placeholders in order. */
export interface TextCondition {
  sql: string;
  values: string[];
}

/**
 * Holds where one of the columns contains the text, whatever the case of its letters, in every script; `%` and `_` mean
 * themselves. The same rows on both databases: what each of them takes for a letter of another case differs, so only
 * ASCII is left to it (SQLite knows no other letters, and passes over the collation), and the text's other letters are
 * named one by one. A letter without a counterpart of one character (ß) stands for itself.
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

/** The letters beyond ASCII that are the same as one of the text, each with that one in lower case. */
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
