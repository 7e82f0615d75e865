/** Sizes in characters (UTF-16 code units). */
export interface ChunkSettings {
  size: number;
  overlap: number;
}

/** A piece of a text, and the offset at which the next one begins. */
interface Chunk {
  /** Trimmed; empty if the piece is blank. */
  text: string;
  /** Greater than this chunk's offset; the text's length after the last chunk. */
  next: number;
}

/**
 * Returns the chunk that begins at `from`: at most `size` characters, and at least half of that unless the text ends. It ends
 * after a paragraph, else a line, else a sentence, else a word, else anywhere but within a surrogate pair. The next chunk
 * repeats up to `overlap` characters of its end and begins with a whole word. Chunks depend on the text and `from` alone.
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

/** Returns the offset of the overlap's first whole word, else of its first whole character. */
function nextAfter(text: string, end: number, overlap: number): number {
  if (overlap === 0) return end;
  const earliest = end - overlap;
  for (let at = earliest; at < end; at++) if (isBlank(text[at - 1]!) && !isBlank(text[at]!)) return at;
  return wholeCharacter(text, earliest);
}

/** Moves an offset within a surrogate pair to before the pair. */
function wholeCharacter(text: string, at: number): number {
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  const followsHigh = (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
  return isLow && followsHigh ? at - 1 : at;
}
