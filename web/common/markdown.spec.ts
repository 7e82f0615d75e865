import { type MarkdownElement, type MarkdownNode, readMarkdown, wordsOf } from './markdown.js';

/** Returns the CPU time of this process, independent of the machine's load. */
declare const process: { cpuUsage: () => { user: number } };

const isElement = (node: MarkdownNode): node is MarkdownElement => typeof node !== 'string';

const elements = (nodes: readonly MarkdownNode[]): MarkdownElement[] =>
  nodes.filter(isElement).flatMap((element) => [element, ...elements(element.content)]);

const nodes = (text: string): MarkdownNode[] => readMarkdown(text).flatMap(({ content }) => content);
const tags = (text: string): string[] => elements(nodes(text)).map(({ tag }) => tag);
const links = (text: string): (string | undefined)[] =>
  elements(nodes(text)).flatMap(({ tag, href }) => (tag === 'a' ? [href] : []));
const words = (text: string): string => wordsOf(readMarkdown(text)).trim();

describe('the text of an answer', () => {
  it('is paragraphs that keep their lines', () => {
    expect(nodes('One\ntwo\n\nThree')).toEqual([
      { tag: 'p', content: ['One', { tag: 'br', content: [] }, 'two'] },
      { tag: 'p', content: ['Three'] },
    ]);
  });

  it('has headings below that of the page, lists in lists, quotes, rules and code', () => {
    const text = '# Areas\n- kitchen\n  - sink\n\n3. gas\n4. water\n\n> noted\n\n---\n```js\n**x**\n```\nend';
    expect(tags(text).join(' ')).toBe('h2 ul li ul li ol li li blockquote p hr pre p');
    expect(nodes(text)).toContainEqual({ tag: 'pre', content: ['**x**'] });
    expect(elements(nodes(text)).find(({ tag }) => tag === 'ol')?.start).toBe(3);
  });

  it('has tables, with their alignment', () => {
    const text = 'Found:\n\n| Area | Count |\n|:-----|------:|\n| Hall | 3 |';
    expect(tags(text).join(' ')).toBe('p table thead tr th th tbody tr td td');
    expect(elements(nodes(text)).find(({ tag }) => tag === 'td')).toMatchObject({ align: 'left' });
  });

  it('shows a list directly after a sentence, and code that has not ended yet', () => {
    expect(tags('Send me:\n- an area\n- a remark').join(' ')).toBe('p ul li li');
    expect(nodes('```\nhalf')).toEqual([{ tag: 'pre', content: ['half'] }]);
  });

  it('makes no heading of the line above a list that is starting', () => {
    expect(tags('1. Add a remark\n   -').join(' ')).not.toContain('h2');
    expect(tags('Words\n---').join(' ')).toBe('p hr');
  });

  it('has emphasis, struck words and code within a line', () => {
    expect(tags('a **bold *both*** `**code**` _one_ ~~two~~').join(' ')).toBe('p strong em code em s');
  });

  it('gives the source of each block, with nothing left between them', () => {
    const text = '# A\n\npara\n\n- x\n- y\n\n```\ncode\n```\n\n| a |\n|---|\n| 1 |\nend';
    const blocks = readMarkdown(text);
    expect(blocks.map(({ source }) => source).join('\n')).toBe(text);
    expect(blocks.map(({ source }) => source.trim().slice(0, 3))).toEqual([
      '# A',
      'par',
      '- x',
      '```',
      '| a',
    ]);
  });

  it.each(['2 * 3 * 4', 'a_file_name', '**open', '*a', '[label](', '[x]', '_', '5*', '`'])(
    'leaves %s as it is',
    (text) => {
      expect(words(text)).toBe(text);
    },
  );

  it('has words without formatting', () => {
    expect(words('## Done\n**Two** of `three`:\n- [one](https://a.example)\n- two')).toBe(
      'Done\n\nTwo of three:\n\none\ntwo',
    );
  });

  it.each([
    ['https://a.example/x_y?q=1.', 'https://a.example/x_y?q=1'],
    ['(see http://a.example/)', 'http://a.example/'],
    ['**https://a.example/b**', 'https://a.example/b'],
    ['[the report](https://a.example/r)', 'https://a.example/r'],
    ['http://127.0.0.1:3000/api/v1/x', 'http://127.0.0.1:3000/api/v1/x'],
    ['http://localhost:3000/a', 'http://localhost:3000/a'],
    ['http://intranet/a', 'http://intranet/a'],
    ['[write](mailto:desk@a.example)', 'mailto:desk@a.example'],
    ['![plan](https://a.example/p.png)', 'https://a.example/p.png'],
    ['[![i](https://i.example/)](https://l.example/)', 'https://l.example/'],
  ])('links %s', (text, href) => {
    expect(links(text)).toEqual([href]);
  });

  it.each([
    '[click](javascript:alert(1))',
    '[click](data:text/html,x)',
    '[click](//evil.example)',
    '[click](/api/v1/flows)',
    '![p](data:image/svg+xml;base64,AAAA)',
    'javascript:alert(1)',
    'vbscript:x',
    'file:///etc/passwd',
    'report.it',
    'https://',
  ])('never links %s', (text) => {
    expect(links(text)).toEqual([]);
    expect(words(text)).toBe(text);
  });

  it('never links a scheme that is hidden in entities or blanks', () => {
    for (const address of [
      'java&#115;cript:alert(1)',
      'JavaScript&colon;alert(1)',
      '<java\tscript:alert(1)>',
    ])
      expect(links(`[click](${address})`)).toEqual([]);
  });

  it('treats HTML as text', () => {
    const text = '<img src=x onerror=alert(1)> <script>alert(1)</script> <!-- x -->';
    expect(nodes(text)).toEqual([{ tag: 'p', content: [text] }]);
    expect(words('<div onclick=x>\n\n</div>')).toBe('<div onclick=x>\n\n</div>');
    expect(words('&lt;script&gt;')).toBe('<script>');
  });

  it.each([
    ...[
      '*',
      '**',
      '_',
      '`',
      '[',
      '[x](',
      '![',
      'http://',
      '**a*b',
      '> ',
      '- ',
      '# ',
      ' ',
      '1. ',
      '<',
      '&',
      '[^',
      '~~',
    ],
    ...['a|b\n-|-\n', '  - a\n', '```', '[[a]', '\\', '"', '(', '<a ', 'https://a.b/('],
  ])('is parsed in linear time when repeated: %s', (piece) => {
    const text = piece.repeat(Math.floor(99_000 / piece.length));
    const readingMs = () => {
      const before = process.cpuUsage().user;
      readMarkdown(text);
      readMarkdown(text.replaceAll(' ', '\n'));
      return (process.cpuUsage().user - before) / 1_000;
    };
    // A busy machine may slow one measurement; superlinear growth slows all.
    let fastest = readingMs();
    for (let again = 0; again < 2 && fastest >= 3_000; again++) fastest = Math.min(fastest, readingMs());
    expect(fastest).toBeLessThan(3_000);
  });

  it('shows a text of nothing but marks', () => {
    expect(words('[a]: https://a.example')).toBe('[a]: https://a.example');
  });

  it('is shown as plain text when it is too long', () => {
    expect(tags('a'.repeat(100_001))).toEqual(['pre']);
  });
});
