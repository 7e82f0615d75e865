/** More recipients than this are refused, whoever asks (contract section 6). */
export const MAX_RECIPIENTS = 10;

const LOCAL_PART = /^[!#$%&'*+/=?^_`{|}~.0-9A-Za-z-]{1,64}$/;
const HOST_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/** A plain `name@host` address: no display name, no quotes, no list, nothing that a header or an envelope could mistake. */
export function isMailAddress(text: string): boolean {
  if (text.length > 254) return false;
  const parts = text.split('@');
  const [local, host] = parts;
  if (parts.length !== 2 || local === undefined || host === undefined) return false;
  return LOCAL_PART.test(local) && host.split('.').every((label) => HOST_LABEL.test(label));
}

/** Whether each recipient stands in `MAIL_ALLOW`, whole (`name@host`) or by its host (`@host`, `host` or `*@host`). */
export function allAllowed(recipients: readonly string[], allow: readonly string[]): boolean {
  const allowed = new Set(allow.map(allowedEntry));
  return recipients.every((recipient) => {
    const address = recipient.toLowerCase();
    return allowed.has(address) || allowed.has(address.slice(address.indexOf('@')));
  });
}

function allowedEntry(text: string): string {
  const entry = text.toLowerCase().replace(/^\*(?=@)/, '');
  return entry.includes('@') ? entry : `@${entry}`;
}

const LINE_BYTES = 57;
const ENCODED_LINE_BYTES = 78;
const HEADER_BYTES = 8192;

/** Bytes of the mail on the wire: the attachment in base64 lines, a text that may triple when it is encoded, and headers. */
export function mailBytes(attachmentBytes: number, text: string): number {
  return (
    Math.ceil(attachmentBytes / LINE_BYTES) * ENCODED_LINE_BYTES + 3 * Buffer.byteLength(text) + HEADER_BYTES
  );
}

/** The largest attachment with which a mail has no more bytes than these; below 0 where there is room for none. */
export const attachableBytes = (maxBytes: number, text: string): number =>
  Math.floor((maxBytes - mailBytes(0, text)) / ENCODED_LINE_BYTES) * LINE_BYTES;

/** Waiting times between attempts, in milliseconds; after the last one the mail is given up. About two days in all. */
const WAITS = [2, 10, 60, 300, 900, 1800, ...Array<number>(46).fill(3600)].map((seconds) => seconds * 1000);

/** Returns the wait after so many failed attempts; undefined if no further one is made. */
export const waitAfter = (attempts: number): number | undefined => WAITS[attempts - 1];
