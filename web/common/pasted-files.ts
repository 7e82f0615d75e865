/**
 * Returns the pasted files. Beside the text that is copied from a document or a spreadsheet, office programs offer a picture
 * of it, which is left out.
 */
export function pastedFiles(data: DataTransfer | null): File[] {
  if (!data) return [];
  const isOfText = data.types.includes('text/rtf') && data.getData('text/plain').trim() !== '';
  return isOfText ? [] : [...data.files];
}
