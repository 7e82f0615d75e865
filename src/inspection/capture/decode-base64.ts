/** Bytes of a photograph sent as text, or why there are none. */
export type DecodedPhotograph = { bytes: Buffer } | { fault: { code: string; message: string } };

const broken = (why: string): DecodedPhotograph => ({
  fault: {
    code: 'undecodable',
    message: `The data of the photograph ${why}. Send base64 or a base64 data URI.`,
  },
});

/**
 * Decodes base64 (plain or URL-safe alphabet, with or without padding and line breaks) or a base64 data URI. Anything
 * that is not entirely base64 is refused rather than half decoded; what is larger than `maxBytes` before it is decoded.
 */
export function decodeBase64(data: string, maxBytes: number): DecodedPhotograph {
  const text = data.slice(0, 5).toLowerCase() === 'data:' ? payloadOf(data) : data;
  if (text === undefined) return broken('is a data URI without base64');
  const packed = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  let digits = packed.length;
  while (digits > 0 && packed.length - digits < 2 && packed[digits - 1] === '=') digits -= 1;
  const length = Math.floor((digits * 3) / 4);
  if (length === 0) return broken('is empty');
  if (length > maxBytes) {
    const message = `The photograph is larger than ${maxBytes} bytes. Send it smaller.`;
    return { fault: { code: 'photo_too_large', message } };
  }
  if (digits % 4 === 1) return broken('is not base64');
  const bytes = Buffer.from(packed, 'base64');
  return bytes.length === length && !packed.slice(0, digits).includes('=')
    ? { bytes }
    : broken('is not base64');
}

/** What follows the comma of `data:<mime>;base64,…`. */
function payloadOf(uri: string): string | undefined {
  const comma = uri.slice(0, 512).indexOf(',');
  if (comma === -1 || !uri.slice(0, comma).toLowerCase().trimEnd().endsWith(';base64')) return undefined;
  const payload = uri.slice(comma + 1);
  return payload.includes('%')
    ? payload.replaceAll(/%3d/gi, '=').replaceAll(/%2b/gi, '+').replaceAll(/%2f/gi, '/')
    : payload;
}
