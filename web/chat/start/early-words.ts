/** The field in the served page, which accepts text before the script runs. The composer replaces it and takes the text. */
const field = document.querySelector<HTMLTextAreaElement>('#early-message');
let taken = field === null;

/** Returns whether the field has the focus. */
export const isWritingEarly = (): boolean => field !== null && document.activeElement === field;

/** Returns the field's text, once. Works after the field has left the page. */
export function takeEarlyWords(): string {
  if (taken) return '';
  taken = true;
  return field?.value ?? '';
}
