type ListLevel = { ordered: boolean; items: number };

interface Tag {
  name: string;
  closing: boolean;
  /** The tag as written. */
  raw: string;
  end: number;
}

const BLOCKS = new Set(['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr']);
const OPENERS = new Set([...BLOCKS, 'ul', 'ol', 'pre', 'blockquote', 'span', 'strong', 'em', 'br']);
const MARKS = new Map<string, string>([
  ...['strong', 'b'].map((name): [string, string] => [name, '**']),
  ...['em', 'i'].map((name): [string, string] => [name, '*']),
  ...['s', 'del'].map((name): [string, string] => [name, '~~']),
  ['code', '`'],
]);
const PLAIN = new Set(['span', 'u', 'mark', 'a', 'tbody', 'table']);
/** The depth at which deeper lists and quotations are written, so that a text cannot grow without limit. */
const DEEPEST = 8;

const MENTION = /\sdata-type=\\?["']mention/;

const ENTITIES = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }));

/**
 * Converts the HTML of AgentFlow editors (TipTap) to Markdown in one pass. A text that does not begin with one of their
 * tags was typed by hand and stays unchanged. Tags that no editor writes, such as `<example>` in a prompt, stay too.
 */
export function markdownOf(text: string): string {
  const start = text.trimStart();
  const first = start.startsWith('<') ? tagAt(start, 0) : undefined;
  if (!first || first.closing || !OPENERS.has(first.name)) return withoutMentions(text);
  return new MarkdownWriter().write(start);
}

/** Removes the tags that an editor sets around a reference, also in other texts such as JSON. */
function withoutMentions(text: string): string {
  if (!text.includes('data-type=')) return text;
  let written = '';
  let from = 0;
  let open = false;
  for (let at = text.indexOf('<'); at >= 0;) {
    const tag = tagAt(text, at);
    if (tag?.name === '') break;
    if (tag?.name === 'span' && (tag.closing ? open : MENTION.test(tag.raw))) {
      open = !tag.closing;
      written += text.slice(from, at);
      from = tag.end;
    }
    at = text.indexOf('<', tag?.end ?? at + 1);
  }
  return written + text.slice(from);
}

/** Returns the tag that begins at `<`; undefined when none does. A quoted attribute may contain a `>`. */
function tagAt(text: string, from: number): Tag | undefined {
  let at = from + 1;
  const closing = text[at] === '/';
  if (closing) at++;
  const nameFrom = at;
  while (at < text.length && at - nameFrom < 12 && isNameCode(text.charCodeAt(at))) at++;
  const name = text.slice(nameFrom, at).toLowerCase();
  if (name === '' || isNameCode(text.charCodeAt(at))) return undefined;
  let quote = '';
  for (; at < text.length; at++) {
    const char = text[at]!;
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '>') return { name, closing, raw: text.slice(from, at + 1), end: at + 1 };
  }
  return { name: '', closing, raw: '', end: text.length };
}

const isNameCode = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);

class MarkdownWriter {
  private readonly blocks: { text: string; inList: boolean }[] = [];
  private readonly lists: ListLevel[] = [];
  private quotes = 0;
  private inPre = false;
  private line = '';
  /** The prefix of the next block: a bullet or the marks of a heading. */
  private lead = '';

  write(text: string): string {
    let from = 0;
    for (;;) {
      const open = text.indexOf('<', from);
      const tag = open < 0 ? undefined : tagAt(text, open);
      if (open < 0 || tag?.name === '') {
        this.line += decoded(text.slice(from));
        break;
      }
      this.line += decoded(text.slice(from, open));
      if (!tag) this.line += '<';
      else this.take(tag);
      from = tag?.end ?? open + 1;
    }
    this.endBlock();
    return this.joined();
  }

  private take(tag: Tag): void {
    const { name, closing } = tag;
    const mark = MARKS.get(name);
    if (mark !== undefined) this.line += this.inPre ? '' : mark;
    else if (name === 'br') this.line += '\n';
    else if (BLOCKS.has(name)) this.block(name, closing);
    else if (name === 'ul' || name === 'ol') this.list(name === 'ol', closing);
    else if (name === 'li') this.item(closing);
    else if (name === 'pre') this.pre(closing);
    else if (name === 'blockquote') {
      this.endBlock();
      this.quotes = Math.max(0, this.quotes + (closing ? -1 : 1));
    } else if (!PLAIN.has(name)) this.line += tag.raw;
  }

  private block(name: string, closing: boolean): void {
    this.endBlock();
    if (closing) return;
    if (name === 'hr') {
      this.line = '---';
      this.endBlock();
    } else if (name.startsWith('h')) this.lead = `${'#'.repeat(Number(name[1]))} `;
  }

  private list(ordered: boolean, closing: boolean): void {
    this.endBlock();
    if (closing) this.lists.pop();
    else this.lists.push({ ordered, items: 0 });
  }

  private item(closing: boolean): void {
    this.endBlock();
    const level = this.lists.at(-1);
    if (closing || !level) this.lead = '';
    else this.lead = level.ordered ? `${++level.items}. ` : '- ';
  }

  private pre(closing: boolean): void {
    if (!closing) this.endBlock();
    if (closing) this.line = `\`\`\`\n${this.line.replace(/\n$/, '')}\n\`\`\``;
    this.inPre = !closing;
    if (closing) this.endBlock();
  }

  private endBlock(): void {
    const text = this.line.trim();
    this.line = '';
    if (text === '') return;
    const depth = Math.min(this.lists.length, DEEPEST);
    const indent = '   '.repeat(Math.max(0, depth - 1));
    const rest = this.lead === '' && depth > 0 ? '   ' : ' '.repeat(depth > 0 ? this.lead.length : 0);
    const quote = '> '.repeat(Math.min(this.quotes, DEEPEST));
    const lead = this.lead === '' ? rest : this.lead;
    this.lead = '';
    const lines = text.split('\n');
    const written = lines.map((line, index) => `${quote}${indent}${index === 0 ? lead : rest}${line}`);
    this.blocks.push({ text: written.join('\n'), inList: depth > 0 });
  }

  private joined(): string {
    return this.blocks
      .map(({ text, inList }, index) => {
        if (index === 0) return text;
        return (inList && this.blocks[index - 1]!.inList ? '\n' : '\n\n') + text;
      })
      .join('');
  }
}

const decoded = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(/&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-z]{2,4});/g, (whole, name: string) =>
        name.startsWith('#') ? (characterOf(name.slice(1)) ?? whole) : (ENTITIES.get(name) ?? whole),
      )
    : text;

function characterOf(number: string): string | undefined {
  const code = /^[xX]/.test(number) ? Number.parseInt(number.slice(1), 16) : Number(number);
  const isText = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isText ? String.fromCodePoint(code) : undefined;
}
