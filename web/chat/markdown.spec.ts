import { type Block, type Inline, readMarkdown } from './markdown.js';

const said = (content: readonly Inline[]): string =>
  content.map((piece) => ('content' in piece ? said(piece.content) : piece.text)).join('');

const inline = (text: string): Inline[] => {
  const [block] = readMarkdown(text);
  if (block?.type !== 'paragraph') throw new Error(`not a paragraph: ${block?.type}`);
  return block.lines[0]!;
};

const links = (content: readonly Inline[]): string[] =>
  content.flatMap((piece) => [
    ...(piece.type === 'link' ? [piece.href] : []),
    ...('content' in piece ? links(piece.content) : []),
  ]);

const types = (blocks: readonly Block[]): string[] => blocks.map(({ type }) => type);

describe('the text of an answer', () => {
  it('is paragraphs that keep their lines', () => {
    const [first, second] = readMarkdown('One\ntwo\n\nThree');
    expect(first).toMatchObject({ type: 'paragraph', lines: [[{ text: 'One' }], [{ text: 'two' }]] });
    expect(second).toMatchObject({ type: 'paragraph', lines: [[{ text: 'Three' }]] });
  });

  it('has headings, lists, quotes, rules and code', () => {
    const text = '## Areas\n- kitchen\n- hall\n\n3. gas\n4) water\n\n> noted\n\n---\n```js\n**x**\n```\nend';
    const blocks = readMarkdown(text);
    expect(types(blocks)).toEqual(['heading', 'list', 'list', 'quote', 'rule', 'code', 'paragraph']);
    expect(blocks[2]).toMatchObject({ ordered: true, start: 3 });
    expect(blocks[5]).toEqual({ type: 'code', text: '**x**' });
  });

  it('shows a list that follows a sentence, and code whose end has not come yet', () => {
    expect(types(readMarkdown('Send me:\n- an area\n- a remark'))).toEqual(['paragraph', 'list']);
    expect(readMarkdown('```\nhalf')).toEqual([{ type: 'code', text: 'half' }]);
  });

  it('has emphasis and code within a line', () => {
    expect(inline('a **bold *both*** `**code**` _one_')).toMatchObject([
      { text: 'a ' },
      { type: 'strong' },
      { text: expect.any(String) as string },
      { type: 'code', text: '**code**' },
      { text: ' ' },
      { type: 'emphasis' },
    ]);
  });

  it.each(['2 * 3 * 4', 'a_file_name', '**open', '*', '``', '[label](', '[x]', '_', '5*'])(
    'leaves %s as it is',
    (text) => {
      expect(inline(text)).toEqual([{ type: 'text', text }]);
    },
  );

  it.each([
    ['https://a.example/x_y?q=1.', 'https://a.example/x_y?q=1'],
    ['(see http://a.example/)', 'http://a.example/'],
    ['**https://a.example/b**', 'https://a.example/b'],
    ['[the report](https://a.example/r)', 'https://a.example/r'],
  ])('links %s', (text, href) => {
    expect(links(inline(text))).toEqual([href]);
  });

  it.each([
    '[click](javascript:alert(1))',
    '[click](JavaScript&colon;alert)',
    '[click](data:text/html,<script>)',
    '[click](//evil.example)',
    '[click](/api/v1/flows)',
    'javascript:alert(1)',
    'xhttps://a.example',
    'https://',
  ])('never links %s', (text) => {
    expect(links(inline(text))).toEqual([]);
    expect(said(inline(text))).toBe(text);
  });

  it('takes markup for text', () => {
    const text = '<img src=x onerror=alert(1)> &amp; <script>alert(1)</script>';
    expect(inline(text)).toEqual([{ type: 'text', text }]);
  });

  it.each(['*', '**', '_', '`', '[', '[x](', 'http://', '**a*b', '> ', '- ', '# ', ' '])(
    'is read in good time, whatever is repeated: %s',
    (piece) => {
      const text = piece.repeat(Math.floor(99_000 / piece.length));
      const from = performance.now();
      readMarkdown(text);
      readMarkdown(text.replaceAll(' ', '\n'));
      expect(performance.now() - from).toBeLessThan(2_000);
    },
  );

  it('is shown as it is where it is longer than any answer', () => {
    expect(types(readMarkdown('a'.repeat(100_001)))).toEqual(['code']);
  });
});
