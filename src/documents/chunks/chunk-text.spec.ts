import { chunkAt, type ChunkSettings } from './chunk-text.js';

const all = (text: string, settings: ChunkSettings): string[] => {
  const chunks: string[] = [];
  for (let from = 0; from < text.length;) {
    const { text: chunk, next } = chunkAt(text, from, settings);
    expect(next).toBeGreaterThan(from);
    chunks.push(chunk);
    from = next;
  }
  return chunks;
};

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`);

describe('a text in chunks', () => {
  it.each([
    ['paragraphs', 'One two three.\n\nFour five six.\nSeven.', ['One two three.', 'Four five six.\nSeven.']],
    [
      'lines',
      'One two three four.\nFive six. Seven eight nine',
      ['One two three four.', 'Five six. Seven eight nine'],
    ],
    [
      'sentences',
      'One two three four. Five six seven eight nine',
      ['One two three four.', 'Five six seven eight nine'],
    ],
    [
      'words',
      'one two three four five six seven eight nine',
      ['one two three four five', 'six seven eight nine'],
    ],
    [
      'sentences without blanks',
      '一二三四五六七八九十一二三四五六。一二三四五六七八九十',
      ['一二三四五六七八九十一二三四五六。', '一二三四五六七八九十'],
    ],
  ])('ends behind %s', (_, text, chunks) => {
    expect(all(text, { size: 26, overlap: 0 })).toEqual(chunks);
  });

  it('repeats the end of the chunk before, from the beginning of a word on', () => {
    const [one, two] = all(words(40).join(' '), { size: 100, overlap: 20 });
    const repeated = two!.split(' ')[0]!;
    expect(one!.split(' ')).toContain(repeated);
    expect(one!.length - one!.lastIndexOf(repeated)).toBeLessThanOrEqual(20);
  });

  it('leaves nothing out, whatever the sizes are', () => {
    const text = words(500).join(' ');
    for (const overlap of [0, 1, 50]) {
      const said = all(text, { size: 100, overlap }).flatMap((chunk) => chunk.split(' '));
      expect([...new Set(said)]).toEqual(words(500));
    }
  });

  it.each([0, 1, 50])('splits no surrogate pair with an overlap of %d', (overlap) => {
    for (const text of ['😀'.repeat(500), `x${'😀'.repeat(500)}`])
      for (const chunk of all(text, { size: 101, overlap })) expect(chunk.isWellFormed()).toBe(true);
  });

  it('is the same wherever reading begins', () => {
    const text = words(200).join(' ');
    const settings = { size: 100, overlap: 30 };
    const { next } = chunkAt(text, 0, settings);
    expect(all(text, settings).slice(1)).toEqual(all(text.slice(next), settings));
  });

  it('is empty where there are only blanks', () => {
    expect(all(' \n\n '.repeat(100), { size: 100, overlap: 0 }).join('')).toBe('');
  });
});
