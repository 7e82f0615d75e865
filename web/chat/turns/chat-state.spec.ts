import { readMarkdown, wordsOf } from '../../common/markdown.js';
import { announcementOf as announced } from './chat-state.js';

const announcementOf = (text: string) => announced(text, (words) => wordsOf(readMarkdown(words)));

describe('announcementOf', () => {
  it('reads out an answer without its formatting', () => {
    expect(announcementOf('**Thank you.** One more?')).toBe('Thank you. One more?');
  });

  it('does not spell out the address of a report', () => {
    const address = `https://example.com/api/v1/pdf/reports/01a200fa/file?expires=1&signature=${'x'.repeat(43)}`;
    expect(announcementOf(`Your report is ready: ${address}\n\nPages: 4`)).toBe(
      'Your report is ready: a link\n\nPages: 4',
    );
  });

  it('reads out a short address', () => {
    expect(announcementOf('See https://example.com/help')).toBe('See https://example.com/help');
  });
});
