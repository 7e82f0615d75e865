/** Elements without readable content. */
const UNREAD = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'head', 'nav', 'footer', 'iframe', 'object'],
  ...['select', 'button', 'canvas', 'audio', 'video'],
]);

/** Elements on lines of their own. */
const BLOCKS = new Set([
  ...[
    'p',
    'div',
    'section',
    'article',
    'main',
    'header',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'dl',
  ],
  ...['li', 'dt', 'dd', 'table', 'tr', 'blockquote', 'pre', 'br', 'hr', 'figure', 'form', 'address', 'title'],
]);

const NAMED = new Map<string, string>([
  ...([
    ['amp', '&'],
    ['lt', '<'],
    ['gt', '>'],
    ['quot', '"'],
    ['apos', "'"],
    ['nbsp', ' '],
  ] as const),
  ...([
    ['ndash', '–'],
    ['mdash', '—'],
    ['hellip', '…'],
    ['copy', '©'],
    ['pound', '£'],
    ['euro', '€'],
  ] as const),
  ...([
    ['lsquo', '‘'],
    ['rsquo', '’'],
    ['ldquo', '“'],
    ['rdquo', '”'],
    ['middot', '·'],
    ['deg', '°'],
  ] as const),
]);

/**
 * Returns the text of a page in lines without scripts, styles and navigation, in one pass even over broken HTML. A tag
 * without an end ends the page.
 */
export function readableText(html: string): string {
  const endless = new Set<string>();
  let text = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    text += html.slice(at, open);
    const after = afterComment(html, open);
    if (after !== undefined) {
      at = after;
      continue;
    }
    const name = nameAt(html, open + 1);
    if (name === undefined) {
      text += '<';
      at = open + 1;
      continue;
    }
    at = endOfTag(html, open);
    if (BLOCKS.has(name.word)) text += '\n';
    else if (name.word === 'td' || name.word === 'th') text += ' ';
    if (!name.closes && UNREAD.has(name.word)) at = afterElement(html, at, name.word, endless);
  }
  return lines(decoded(text + html.slice(at)));
}

/** Returns the position after a comment or declaration that begins here. */
function afterComment(html: string, open: number): number | undefined {
  const comment = html.startsWith('<!--', open);
  if (!comment && html[open + 1] !== '!' && html[open + 1] !== '?') return undefined;
  const mark = comment ? '-->' : '>';
  const end = html.indexOf(mark, open + 2);
  return end < 0 ? html.length : end + mark.length;
}

function nameAt(html: string, from: number): { word: string; closes: boolean } | undefined {
  const closes = html[from] === '/';
  const match = /^[a-z][a-z0-9-]{0,30}/i.exec(html.slice(closes ? from + 1 : from, from + 33));
  return match ? { word: match[0].toLowerCase(), closes } : undefined;
}

function endOfTag(html: string, open: number): number {
  let quote = '';
  for (let at = open + 1; at < html.length; at++) {
    const character = html[at]!;
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '>') return at + 1;
    else if (character === '"' || character === "'") quote = html[at - 1] === '=' ? character : '';
  }
  return html.length;
}

/** Returns the position after a skipped element. One without an end hides only its tag, and is searched once. */
function afterElement(html: string, from: number, name: string, endless: Set<string>): number {
  if (endless.has(name)) return from;
  const found = new RegExp(`</${name}(?![a-z0-9-])`, 'gi');
  found.lastIndex = from;
  const match = found.exec(html);
  if (match) return endOfTag(html, match.index);
  endless.add(name);
  return from;
}

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED.get(String(name).toLowerCase()) ?? String(whole);
    const code = decimal === undefined ? parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '';
  });

const lines = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line
        .split(/[\s\u00a0]/)
        .filter((word) => word !== '')
        .join(' '),
    )
    .filter((line) => line !== '')
    .join('\n');
