/** Something that may be written where the cursor is. */
export interface Suggestion {
  /** As it stands in the text: names and texts in quotes. */
  label: string;
  /** The text to insert, with `${}` where the cursor goes. */
  insert: string;
  /** In a word what it is: `text`, `required`, `llm`. */
  detail?: string;
  info?: string;
  /** Is offered before the others. */
  first?: boolean;
  /** The inserted text leaves something to choose: completion opens again. */
  goesOn?: boolean;
}

/** A value that is written as it is. */
export const written = (value: unknown): Pick<Suggestion, 'label' | 'insert'> => {
  const label = JSON.stringify(value);
  return { label, insert: escaped(label) };
};

/** Braces mean a place for the cursor. */
export const escaped = (text: string): string => text.replaceAll(/[{}]/g, (brace) => `\\${brace}`);
