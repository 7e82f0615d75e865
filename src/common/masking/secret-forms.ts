import { unescaped } from './unescaped.js';

/** One spelling of a secret to search a text for: bytes with ASCII letters in lower case. */
export interface SecretForm {
  bytes: Uint8Array;
  /** Base64 characters before and behind that hold a few bits of the secret: 0 or 1. */
  before: number;
  after: number;
}

/** A shorter secret would match by chance: it is masked only where it is the whole text, from `SHORTEST_ALONE` on. */
export const SHORTEST_FORM = 6;
export const SHORTEST_ALONE = 4;

/** Long secrets are looked for piece by piece, so that a part of one is found too. */
export const PIECE = 64;

/** Of secrets beyond this only so much is looked for. */
const MOST_BYTES = 32_768;

/**
 * Everything that stands for a secret besides its escaped spellings, which `unescaped` undoes: itself, hexadecimal, and
 * base64 as it stands in the base64 of any text around it (three alignments, both alphabets). Letters in any case.
 */
export function formsOf(secret: string): SecretForm[] {
  const bytes = Buffer.from(secret, 'utf8').subarray(0, MOST_BYTES);
  if (bytes.length < SHORTEST_FORM) return [];
  const forms = new Map<string, SecretForm>();
  const add = (form: Uint8Array, before = 0, after = 0) => {
    for (const piece of piecesOf(form, before, after)) {
      const key = Buffer.from(piece.bytes).toString('latin1');
      if (piece.bytes.length >= SHORTEST_FORM && !forms.has(key)) forms.set(key, piece);
    }
  };
  for (const spelling of spellingsOf(secret)) {
    add(spelling);
    add(unescaped(spelling).bytes);
    add(Buffer.from(Buffer.from(spelling).toString('hex')));
  }
  for (const alignment of [0, 1, 2]) {
    const text = base64Inside(bytes, alignment);
    const [before, after] = [alignment === 0 ? 0 : 1, (alignment + bytes.length) % 3 === 0 ? 0 : 1];
    add(Buffer.from(text), before, after);
    add(Buffer.from(text.replaceAll('+', '-').replaceAll('/', '_')), before, after);
  }
  return [...forms.values()];
}

/** ASCII letters are compared without their case anyway; the others are looked for in both. A form writes blanks as `+`. */
function spellingsOf(secret: string): Buffer[] {
  const texts = [secret, secret.toLowerCase(), secret.toUpperCase(), secret.replaceAll(' ', '+')];
  const spellings = texts.map((text) => Buffer.from(text, 'utf8'));
  if (/[\u0080-\u00ff]/.test(secret)) spellings.push(Buffer.from(secret, 'latin1'));
  return spellings.map((bytes) => bytes.subarray(0, MOST_BYTES));
}

/** The base64 characters that the secret alone decides when so many bytes stand before it. */
function base64Inside(bytes: Buffer, alignment: number): string {
  const text = Buffer.concat([Buffer.alloc(alignment), bytes]).toString('base64');
  const from = Math.ceil((alignment * 8) / 6);
  return text.slice(from, Math.floor(((alignment + bytes.length) * 8) / 6));
}

/** The last piece reaches back, so that none is too short to be looked for. */
function piecesOf(form: Uint8Array, before: number, after: number): SecretForm[] {
  const bytes = form.map(lowerByte);
  const pieces: SecretForm[] = [];
  for (let from = 0; from < bytes.length; from += PIECE) {
    const isLast = from + PIECE >= bytes.length;
    const start = isLast ? Math.max(0, bytes.length - PIECE) : from;
    pieces.push({
      bytes: bytes.slice(start, start + PIECE),
      before: start === 0 ? before : 0,
      after: isLast ? after : 0,
    });
  }
  return pieces;
}

export const lowerByte = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);
