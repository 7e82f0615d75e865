/** Whether it was copied. Pages that came over plain HTTP have no clipboard of their own: there the selection is copied. */
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
  // Within a dialog the focus cannot leave it.
  (focused?.closest('[role=dialog], [role=alertdialog]') ?? document.body).append(field);
  field.select();
  let copied = false;
  try {
    copied = document.execCommand('copy');
  } catch {
    // The caller shows the failure to the person.
  }
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
