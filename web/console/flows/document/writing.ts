/** The way in which a text breaks its lines. */
export interface Writing {
  /** `\n`, or nothing in a text of one line. */
  newline: string;
  unit: string;
}

export const writingIn = (text: string): Writing => ({
  newline: text.trimEnd().includes('\n') ? '\n' : '',
  unit: /\n([ \t]+)/.exec(text)?.[1] ?? '  ',
});

/** Writes a value whose first line begins after `indent`. */
export function written(value: unknown, indent: string, { newline, unit }: Writing): string {
  if (newline === '') return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`);
}
