/** A completion at the cursor. */
export interface Suggestion {
  /** The text as written: names and strings in quotes. */
  label: string;
  /** The text to insert, with `${}` where the cursor goes. */
  insert: string;
  /** Its type in a word: `text`, `required`, `llm`. */
  detail?: string;
  info?: string;
  /** Listed before the others. */
  first?: boolean;
  /** Completion opens again after the insertion. */
  reopens?: boolean;
}

/** Returns a suggestion that inserts a value as JSON. */
export const written = (value: unknown): Pick<Suggestion, 'label' | 'insert'> => {
  const label = JSON.stringify(value);
  return { label, insert: escaped(label) };
};

/** Escapes braces, which mark a place for the cursor. */
export const escaped = (text: string): string => text.replaceAll(/[{}]/g, (brace) => `\\${brace}`);
