/** Sizes in characters (UTF-16 code units). */
export interface ChunkSettings {
  size: number;
  overlap: number;
}

/** A piece of a text, and where the next one begins. */
export interface Chunk {
  /** Without blanks at its ends; empty where there are only blanks. */
  text: string;
  /** Behind the beginning of this one; the text's length after the last. */
  next: number;
}

/**
 * The chunk that begins at `from`: at most `size` characters, and at least half of that unless the text ends. It ends
 * behind a paragraph, else a line, else a sentence, else a word, and only where there is none of these anywhere else. The
 * next one repeats up to `overlap` characters of its end, from the beginning of a word on. No surrogate pair is split. The
 * same text gives the same chunks, wherever reading begins; each costs the time of its size.
 */
export function chunkAt(text: string, from: number, { size, overlap }: ChunkSettings): Chunk {
  if (from + size >= text.length) return { text: text.slice(from).trim(), next: text.length };
  const end = endOf(text, from, from + size);
  return { text: text.slice(from, end).trim(), next: Math.max(nextAfter(text, end, overlap), from + 1) };
}

function endOf(text: string, from: number, most: number): number {
  const least = from + Math.ceil((most - from) / 2);
  const window = text.slice(least, most);
  for (const rank of [endsOfParagraph, endsOfLine, endsOfSentence, endsOfWord]) {
    const end = rank(window);
    if (end > 0) return least + end;
  }
  return wholeCharacter(text, most);
}

const behind = (window: string, mark: string): number => {
  const at = window.lastIndexOf(mark);
  return at < 0 ? 0 : at + mark.length;
};

const endsOfParagraph = (window: string): number => behind(window, '\n\n');

const endsOfLine = (window: string): number => behind(window, '\n');

/** The marks that end a sentence before a blank, and those that need none. */
const ENDS = new Set(['.', '!', '?', '…', '؟', '।']);
const FULL_ENDS = new Set(['。', '！', '？']);

function endsOfSentence(window: string): number {
  for (let at = window.length - 1; at >= 0; at--) {
    const letter = window[at]!;
    if (FULL_ENDS.has(letter)) return at + 1;
    if (at > 0 && isBlank(letter) && ENDS.has(window[at - 1]!)) return at + 1;
  }
  return 0;
}

function endsOfWord(window: string): number {
  for (let at = window.length - 1; at >= 0; at--) if (isBlank(window[at]!)) return at + 1;
  return 0;
}

const isBlank = (letter: string): boolean =>
  letter === ' ' || letter === '\n' || letter === '\t' || letter === '\u3000';

/** The beginning of the overlap: of the first word that is whole in it, or of its first whole character. */
function nextAfter(text: string, end: number, overlap: number): number {
  if (overlap === 0) return end;
  const earliest = end - overlap;
  for (let at = earliest; at < end; at++) if (isBlank(text[at - 1]!) && !isBlank(text[at]!)) return at;
  return wholeCharacter(text, earliest);
}

/** Not between the two halves of a pair: before them instead. */
function wholeCharacter(text: string, at: number): number {
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  const followsHigh = (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
  return isLow && followsHigh ? at - 1 : at;
}
