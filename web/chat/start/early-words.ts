/** The field in the served page, which accepts text before the script runs. The composer replaces it. */
const field = document.querySelector<HTMLTextAreaElement>('#early-message');
/** Noted before the page is drawn, which removes the field. */
const writing = field !== null && document.activeElement === field;
let taken = field === null;

/** Returns the field's text and whether it had the focus, once. Works after the field has left the page. */
export function takeEarlyWords(): { words: string; writing: boolean } {
  if (taken) return { words: '', writing: false };
  taken = true;
  return { words: field?.value ?? '', writing };
}
