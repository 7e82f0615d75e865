import { decodeHTMLStrict, ENTITIES } from './entities.js';
import { readMarkdown } from './markdown.js';

describe('named characters', () => {
  it('are those of HTML', () => {
    expect(ENTITIES.size).toBeGreaterThan(130);
    for (const [name, character] of ENTITIES)
      expect([name, readMarkdown(`a&${name};b`)[0]!.content]).toEqual([
        name,
        [{ tag: 'p', content: [`a${character}b`] }],
      ]);
  });

  it('that have another name stay text', () => {
    expect(decodeHTMLStrict('&constructor;')).toBe('&constructor;');
    expect(decodeHTMLStrict('&CounterClockwiseContourIntegral;')).toBe('&CounterClockwiseContourIntegral;');
  });
});
