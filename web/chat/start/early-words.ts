/**
 * The field that the service sends with the page: it takes words before the script is there. The script puts its own
 * composer in its place; what was written goes on there.
 */
const field = document.querySelector<HTMLTextAreaElement>('#early-message');
let taken = field === null;

/** Whether somebody is writing in it. */
export const isWritingEarly = (): boolean => field !== null && document.activeElement === field;

/** Its words, once, also after it has left the page. */
export function takeEarlyWords(): string {
  if (taken) return '';
  taken = true;
  return field?.value ?? '';
}
