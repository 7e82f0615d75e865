/** A picture attached to the next message, as the API expects it. */
export interface Attached {
  name: string;
  mime: string;
  data: string;
  bytes: number;
}

const MOST = 10;
/** A message is one JSON body of at most 50 MB, and base64 makes pictures a third longer. */
const MOST_BYTES = 30_000_000;

/** Reads chosen files. Returns those that can be sent, and a sentence about those that cannot. */
export async function attach(
  present: readonly Attached[],
  files: readonly File[],
): Promise<{ attached: readonly Attached[]; refusal?: string }> {
  const pictures = files.filter(({ type }) => type.startsWith('image/'));
  const attached = [...present];
  for (const file of pictures.slice(0, MOST - present.length)) {
    if (attached.reduce((sum, { bytes }) => sum + bytes, file.size) > MOST_BYTES)
      return {
        attached,
        refusal: 'The photographs are too large for one message. The limit is 30 MB in all.',
      };
    attached.push({ name: file.name, mime: file.type, data: await dataOf(file), bytes: file.size });
  }
  if (attached.length < present.length + pictures.length)
    return { attached, refusal: `A message can have up to ${MOST} photographs.` };
  return pictures.length < files.length
    ? { attached, refusal: 'Only photographs can be attached.' }
    : { attached };
}

const dataOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(new Error(`${file.name} could not be read.`));
    reader.readAsDataURL(file);
  });
