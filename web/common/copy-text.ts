/** Copies a text. Returns whether it worked. Pages over plain HTTP have no clipboard API, so a selection is copied there. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

function copySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'hidden';
  // A dialog traps the focus, so the field must be inside it.
  (focused?.closest('[role=dialog], [role=alertdialog]') ?? document.body).append(field);
  field.select();
  let copied = false;
  try {
    copied = document.execCommand('copy');
  } catch {
    // The caller reports the failure.
  }
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
