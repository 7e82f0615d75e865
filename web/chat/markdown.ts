/** A piece of a line. Only texts: whoever shows them cannot show anything else (nothing is ever taken as HTML). */
export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'strong' | 'emphasis'; content: Inline[] }
  | { type: 'link'; href: string; content: Inline[] };

export type Block =
  | { type: 'paragraph'; lines: Inline[][] }
  | { type: 'heading'; content: Inline[] }
  | { type: 'list'; ordered: boolean; start: number; items: Inline[][] }
  | { type: 'quote'; lines: Inline[][] }
  | { type: 'code'; text: string }
  | { type: 'rule' };

/** Beyond this an answer is shown as it is: it is a file, not prose. */
const LONGEST = 100_000;
const DEEPEST = 4;
const LONGEST_LABEL = 500;
const LONGEST_ADDRESS = 4_000;

/**
 * Reads the little Markdown that models write: paragraphs, headings, lists, quotes, code, emphasis, links. One pass over
 * the text, no pattern that looks back, so that no text makes it slow.
 */
export function readMarkdown(text: string): Block[] {
  if (text.length > LONGEST) return [{ type: 'code', text }];
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    if (line.trimStart().startsWith('```')) at = readFence(lines, at, blocks);
    else {
      addLine(line, blocks, lines[at - 1] ?? '');
      at++;
    }
  }
  return blocks;
}

/** Everything up to the closing fence; while the answer is still coming, up to the end. */
function readFence(lines: readonly string[], from: number, blocks: Block[]): number {
  let end = from + 1;
  while (end < lines.length && !lines[end]!.trimStart().startsWith('```')) end++;
  blocks.push({ type: 'code', text: lines.slice(from + 1, end).join('\n') });
  return end + 1;
}

function addLine(line: string, blocks: Block[], before: string): void {
  const text = line.trim();
  if (text === '') return;
  const continues = before.trim() !== '';
  const last = blocks.at(-1);
  const heading = /^#{1,6} +(?=\S)/.exec(text);
  const bullet = /^[-*•] +(?=\S)/.exec(text);
  const number = /^(\d{1,9})[.)] +(?=\S)/.exec(text);
  if (heading) blocks.push({ type: 'heading', content: readInline(text.slice(heading[0].length)) });
  else if (isRule(text)) blocks.push({ type: 'rule' });
  else if (bullet) addItem(blocks, false, 1, text.slice(bullet[0].length));
  else if (number) addItem(blocks, true, Number(number[1]), text.slice(number[0].length));
  else if (text.startsWith('>')) addTo(blocks, 'quote', text.slice(1).trimStart(), continues);
  else if (continues && last?.type === 'list' && line.startsWith('  '))
    last.items.at(-1)?.push({ type: 'text', text: ' ' }, ...readInline(text));
  else addTo(blocks, 'paragraph', text, continues);
}

const isRule = (text: string): boolean =>
  text.length >= 3 && text.length < 80 && (/^-+$/.test(text) || /^\*+$/.test(text) || /^_+$/.test(text));

function addItem(blocks: Block[], ordered: boolean, start: number, text: string): void {
  const last = blocks.at(-1);
  if (last?.type === 'list' && last.ordered === ordered) last.items.push(readInline(text));
  else blocks.push({ type: 'list', ordered, start, items: [readInline(text)] });
}

function addTo(blocks: Block[], type: 'paragraph' | 'quote', text: string, continues: boolean): void {
  const last = blocks.at(-1);
  if (continues && last?.type === type) last.lines.push(readInline(text));
  else blocks.push({ type, lines: [readInline(text)] });
}

export function readInline(text: string, depth = 0): Inline[] {
  return new InlineReader(text, depth).read();
}

class InlineReader {
  private readonly content: Inline[] = [];
  private plain = '';
  private at = 0;
  /** Marks that do not occur again: looked for once, not for each opening. */
  private readonly gone = new Set<string>();

  constructor(
    private readonly text: string,
    private readonly depth: number,
  ) {}

  read(): Inline[] {
    while (this.at < this.text.length) {
      if (!this.special()) this.plain += this.text[this.at++];
    }
    this.flush();
    return this.content;
  }

  /** Takes what stands here if it is more than a character. */
  private special(): boolean {
    const { text, at } = this;
    switch (text[at]) {
      case '`':
        return this.code();
      case '*':
        return text[at + 1] === '*' ? this.marked('**', 'strong') : this.marked('*', 'emphasis');
      case '_':
        return isWord(text[at - 1]) ? false : this.marked('_', 'emphasis');
      case '[':
        return this.link();
      case 'h':
        return !isWord(text[at - 1]) && this.address();
      default:
        return false;
    }
  }

  private code(): boolean {
    const end = this.find('`', this.at + 1);
    if (end <= this.at + 1) return false;
    this.add({ type: 'code', text: this.text.slice(this.at + 1, end) }, end + 1);
    return true;
  }

  private marked(mark: string, type: 'strong' | 'emphasis'): boolean {
    const from = this.at + mark.length;
    const end = this.depth < DEEPEST ? this.find(mark, from + 1) : -1;
    if (end < 0 || isBlank(this.text[from]) || isBlank(this.text[end - 1])) return false;
    if (mark === '_' && isWord(this.text[end + 1])) return false;
    const content = readInline(this.text.slice(from, end), this.depth + 1);
    this.add({ type, content }, end + mark.length);
    return true;
  }

  /** `[label](address)`; one with another kind of address stays the text that it is. */
  private link(): boolean {
    const head = this.text.slice(this.at, this.at + LONGEST_LABEL);
    const middle = this.depth < DEEPEST ? head.indexOf('](') : -1;
    if (middle < 2) return false;
    const from = this.at + middle + 2;
    const end = this.text.slice(from, from + LONGEST_ADDRESS).indexOf(')');
    const href = end < 0 ? undefined : webAddress(this.text.slice(from, from + end).trim());
    if (href === undefined) return false;
    const content = readInline(head.slice(1, middle), DEEPEST);
    this.add({ type: 'link', href, content }, from + end + 1);
    return true;
  }

  /** An address written out, without the punctuation of its sentence. */
  private address(): boolean {
    if (!this.text.startsWith('http://', this.at) && !this.text.startsWith('https://', this.at)) return false;
    const room = this.text.slice(this.at, this.at + LONGEST_ADDRESS);
    const blank = room.search(/[\s<>"`]/);
    let end = blank < 0 ? room.length : blank;
    while (end > 0 && ".,;:!?*_'’”)]}".includes(room[end - 1]!)) end--;
    const shown = room.slice(0, end);
    const href = webAddress(shown);
    if (href === undefined) return false;
    this.add({ type: 'link', href, content: [{ type: 'text', text: shown }] }, this.at + end);
    return true;
  }

  private find(mark: string, from: number): number {
    if (this.gone.has(mark)) return -1;
    const found = this.text.indexOf(mark, from);
    if (found < 0) this.gone.add(mark);
    return found;
  }

  private add(piece: Inline, next: number): void {
    this.flush();
    this.content.push(piece);
    this.at = next;
  }

  private flush(): void {
    if (this.plain !== '') this.content.push({ type: 'text', text: this.plain });
    this.plain = '';
  }
}

const isBlank = (character: string | undefined): boolean =>
  character === undefined || character.trim() === '';
const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** The address as a browser would go there; `undefined` for anything but http and https. */
function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}
