import MarkdownIt, { type Token } from 'markdown-it';

/** The elements that an answer may contain. Nothing is ever inserted as HTML. */
export type Tag =
  | ('p' | 'h2' | 'h3' | 'h4' | 'ul' | 'ol' | 'li' | 'blockquote' | 'pre' | 'hr')
  | ('table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td')
  | ('strong' | 'em' | 's' | 'code' | 'a' | 'br');

export interface MarkdownElement {
  tag: Tag;
  content: MarkdownNode[];
  /** The safe URL of an `a` (see `isSafe`). */
  href?: string;
  /** The first number of an `ol`. */
  start?: number;
  /** The alignment of a `th` or `td`. */
  align?: 'left' | 'center' | 'right';
}

export type MarkdownNode = string | MarkdownElement;

/** A top-level block with its source text. */
export interface Block {
  source: string;
  content: MarkdownNode[];
}

/** Longer answers are shown as plain text. In characters. */
const LONGEST = 100_000;

const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** Returns whether a link may lead there: to the web or a mailbox, never into this page or to a script. */
const isSafe = (address: string): boolean => URL.canParse(address) && schemes.has(new URL(address).protocol);

const reader = new MarkdownIt({ html: false, linkify: true, breaks: true });
reader.validateLink = isSafe;
// A line above `-` is not a heading: in a growing answer, a list may be starting there.
reader.disable('lheading');
// Link only full URLs: a model that writes "report.it" does not mean a link.
reader.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** Parses the Markdown that models write: CommonMark with tables, strikethrough and bare URLs. HTML in it stays text. */
export function readMarkdown(text: string): Block[] {
  if (text.length > LONGEST) return [{ source: text, content: [element('pre', [text])] }];
  const lines = text.split('\n');
  const blocks: Block[] = [];
  let from = 0;
  for (const top of topLevels(reader.parse(text, {}))) {
    const to = top.at(0)?.map?.[1] ?? from;
    blocks.push({ source: lines.slice(from, to).join('\n'), content: treeOf(top) });
    from = to;
  }
  return blocks.length > 0 ? blocks : [{ source: text, content: [element('p', [text])] }];
}

/** Returns the text without its formatting, for screen readers. */
export const wordsOf = (blocks: readonly Block[]): string =>
  blocks.map(({ content }) => wordsIn(content)).join('\n');

export const wordsIn = (nodes: readonly MarkdownNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : wordsOfElement(node))).join('');

const spaced: ReadonlySet<Tag> = new Set(['p', 'li', 'tr', 'th', 'td', 'h2', 'h3', 'h4', 'br']);

const wordsOfElement = ({ tag, content }: MarkdownElement): string =>
  wordsIn(content) + (spaced.has(tag) ? '\n' : '');

function* topLevels(tokens: readonly Token[]): Generator<Token[]> {
  let group: Token[] = [];
  for (const token of tokens) {
    group.push(token);
    if (token.level > 0 || token.nesting === 1) continue;
    yield group;
    group = [];
  }
}

interface Open {
  content: MarkdownNode[];
  inLink: boolean;
}

/** Builds a tree from the parser's flat list of tokens. */
function treeOf(tokens: readonly Token[]): MarkdownNode[] {
  const root: Open = { content: [], inLink: false };
  const open = [root];
  for (const token of tokens) {
    const inner = open.at(-1)!;
    if (token.nesting === -1) {
      if (open.length > 1) open.pop();
    } else if (token.nesting === 1) {
      const made = opened(token);
      if (made) inner.content.push(made);
      open.push({ content: made?.content ?? inner.content, inLink: inner.inLink || made?.tag === 'a' });
    } else inner.content.push(...leavesOf(token, inner.inLink));
  }
  return root.content;
}

const same: readonly Tag[] = [
  ...(['p', 'ul', 'ol', 'li', 'blockquote', 'strong', 'em', 's'] as const),
  ...(['table', 'thead', 'tbody', 'tr', 'th', 'td'] as const),
];

/** Maps headings to levels below the page's own first heading. */
const tags: ReadonlyMap<string, Tag> = new Map<string, Tag>([
  ...same.map((tag) => [tag, tag] as const),
  ...(['h1', 'h2'] as const).map((tag) => [tag, 'h2'] as const),
  ['h3', 'h3'],
  ...(['h4', 'h5', 'h6'] as const).map((tag) => [tag, 'h4'] as const),
]);

/** Returns undefined for the hidden paragraphs of a tight list and for unknown tags. */
function opened(token: Token): MarkdownElement | undefined {
  if (token.type === 'link_open') return element('a', [], { href: attributeOf(token, 'href') });
  const tag = tags.get(token.tag);
  if (tag === undefined || token.hidden) return undefined;
  const align = /text-align:(left|center|right)/.exec(attributeOf(token, 'style'))?.[1];
  const start = Number.parseInt(attributeOf(token, 'start'), 10);
  return element(tag, [], {
    ...(align === undefined ? {} : { align: align as 'left' | 'center' | 'right' }),
    ...(tag === 'ol' && Number.isSafeInteger(start) ? { start } : {}),
  });
}

const attributeOf = ({ attrs }: Token, name: string): string =>
  String(attrs?.find(([own]) => own === name)?.[1] ?? '');

function leavesOf(token: Token, inLink: boolean): MarkdownNode[] {
  switch (token.type) {
    case 'inline':
      return treeOf(token.children ?? []);
    case 'code_inline':
      return [element('code', [token.content])];
    case 'fence':
    case 'code_block':
      return [element('pre', [token.content.replace(/\n$/, '')])];
    case 'hr':
      return [element('hr')];
    case 'softbreak':
    case 'hardbreak':
      return [element('br')];
    case 'image':
      return [inLink ? token.content : pictureLink(token)];
    default:
      return token.content === '' ? [] : [token.content];
  }
}

/** Shows a picture as a link, since loading it would reveal the reader to another site. */
function pictureLink(token: Token): MarkdownElement {
  const href = attributeOf(token, 'src');
  return element('a', [token.content || href], { href });
}

const element = (
  tag: Tag,
  content: MarkdownNode[] = [],
  more: Partial<MarkdownElement> = {},
): MarkdownElement => ({ tag, content, ...more });
