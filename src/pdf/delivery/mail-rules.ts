/** The most recipients of a mail, for any caller (contract section 6). */
export const MAX_RECIPIENTS = 10;

const LOCAL_PART = /^[!#$%&'*+/=?^_`{|}~.0-9A-Za-z-]{1,64}$/;
const HOST_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/** Accepts plain `name@host` addresses: no display name, quotes or list, and nothing that could break a header or envelope. */
export function isMailAddress(text: string): boolean {
  if (text.length > 254) return false;
  const parts = text.split('@');
  const [local, host] = parts;
  if (parts.length !== 2 || local === undefined || host === undefined) return false;
  return LOCAL_PART.test(local) && host.split('.').every((label) => HOST_LABEL.test(label));
}

/** Returns true if `MAIL_ALLOW` lists each recipient, whole (`name@host`) or by host (`@host`, `host` or `*@host`). */
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

/** Estimates the bytes of a mail: the attachment in base64 lines, a text that may triple when encoded, and headers. */
export function mailBytes(attachmentBytes: number, text: string): number {
  return (
    Math.ceil(attachmentBytes / LINE_BYTES) * ENCODED_LINE_BYTES + 3 * Buffer.byteLength(text) + HEADER_BYTES
  );
}

/** Returns the largest attachment of a mail of at most these bytes; below 0 if none fits. */
export const attachableBytes = (maxBytes: number, text: string): number =>
  Math.floor((maxBytes - mailBytes(0, text)) / ENCODED_LINE_BYTES) * LINE_BYTES;

/** Pauses between attempts in milliseconds, about two days in all. After the last one the mail fails. */
const WAITS = [2, 10, 60, 300, 900, 1800, ...Array<number>(46).fill(3600)].map((seconds) => seconds * 1000);

/** Returns the pause after so many failed attempts; undefined if there is no further attempt. */
export const waitAfter = (attempts: number): number | undefined => WAITS[attempts - 1];
