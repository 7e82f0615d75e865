import { unescaped } from './unescaped.js';

/** One spelling of a secret to search a text for: bytes with ASCII letters in lower case. */
export interface SecretForm {
  bytes: Uint8Array;
  /** Adjacent base64 characters that hold a few bits of the secret: 0 or 1. */
  before: number;
  after: number;
}

/** A shorter secret would match by chance. From `SHORTEST_ALONE` on it is masked when it is the whole text. */
export const SHORTEST_FORM = 6;
export const SHORTEST_ALONE = 4;

/** Length of the pieces in which a long secret is searched, so that a part of it is found too. */
export const PIECE = 64;

/** Only this much of a longer secret is searched. */
const MOST_BYTES = 32_768;

/**
 * Returns the spellings of a secret except escaped ones, which `unescaped` undoes: plain, hexadecimal, and base64 within
 * the base64 of any surrounding text (three alignments, both alphabets). Letters match in any case.
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

/** Returns both cases of letters beyond ASCII, and `+` for blanks as forms write them. ASCII is compared without case. */
function spellingsOf(secret: string): Buffer[] {
  const texts = [secret, secret.toLowerCase(), secret.toUpperCase(), secret.replaceAll(' ', '+')];
  const spellings = texts.map((text) => Buffer.from(text, 'utf8'));
  if (/[\u0080-\u00ff]/.test(secret)) spellings.push(Buffer.from(secret, 'latin1'));
  return spellings.map((bytes) => bytes.subarray(0, MOST_BYTES));
}

/** Returns the base64 characters that depend on the secret alone when `alignment` bytes precede it. */
function base64Inside(bytes: Buffer, alignment: number): string {
  const text = Buffer.concat([Buffer.alloc(alignment), bytes]).toString('base64');
  const from = Math.ceil((alignment * 8) / 6);
  return text.slice(from, Math.floor(((alignment + bytes.length) * 8) / 6));
}

/** Cuts a form into pieces; the last one overlaps the one before, so that none is too short to search. */
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
