import { approvalText } from './approval-text.js';

describe('the question whether calls may be made', () => {
  const ask = (given: Parameters<typeof approvalText>[1][number]['arguments'], preamble = '') =>
    approvalText(preamble, [{ tool: 'pay', arguments: given }]);

  it('has each argument on a line of its own', () => {
    expect(ask({ to: 'Ada', sum: 5, slots: ['a', 'b'] }, 'One moment.')).toBe(
      'One moment.\nMay "pay" be called with this?\nto: Ada\nsum: 5\nslots: ["a","b"]',
    );
    expect(ask({})).toBe('May "pay" be called?');
  });

  it('lets no argument pass for another', () => {
    expect(ask({ note: 'x\nsum: 1', 'a\nb': '\u2028' })).toBe(
      'May "pay" be called with this?\nnote: "x\\nsum: 1"\n"a\\nb": "\\u2028"',
    );
  });

  it('is bounded, whatever a model wrote', () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [`${n}${'n'.repeat(1_000)}`, 'v'.repeat(10_000)]),
    );
    const text = ask(many);
    expect(text.length).toBeLessThan(6_000);
    expect(text).toContain('… and 480 more');
  });
});
