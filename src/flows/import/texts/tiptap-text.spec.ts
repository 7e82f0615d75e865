import { computedMs } from '../../../../test/support/computed.js';
import { markdownOf } from './tiptap-text.js';

describe('texts of AgentFlow exports', () => {
  it('become Markdown', () => {
    const cases: [string, string][] = [
      ['<p>11</p>', '11'],
      ['<p>One</p><p></p><p>Two &lt;b&gt; &amp;amp; &#8364;&nbsp;5</p>', 'One\n\nTwo <b> &amp; € 5'],
      ['<p><strong>Say</strong> <em>it</em><br>twice</p>', '**Say** *it*\ntwice'],
      ['<h2>Rules</h2><ul><li><p>a</p></li><li><p>b</p></li></ul><p>End</p>', '## Rules\n\n- a\n- b\n\nEnd'],
      ['<ol><li><p>a</p><ul><li><p>b</p></li></ul></li><li><p>c</p></li></ol>', '1. a\n   - b\n2. c'],
      ['<pre><code class="x">let a = 1;\nlet b;</code></pre>', '```\nlet a = 1;\nlet b;\n```'],
      ['<blockquote><p>q</p></blockquote><hr><p>r</p>', '> q\n\n---\n\nr'],
      [
        '<p>Ask: <span class="variable" data-id="question" data-label="a > b">{{ question }}</span> </p>',
        'Ask: {{ question }}',
      ],
    ];
    for (const [html, markdown] of cases) expect([html, markdownOf(html)]).toEqual([html, markdown]);
  });

  it('stay as they are where nobody formatted them', () => {
    for (const text of ['', 'a < b', '{"a": "<p>x</p>"}', '<example>x</example>', '</p>', '<p', '&lt;'])
      expect(markdownOf(text)).toBe(text);
    expect(markdownOf('<p><example>x</example> 1 < 2</p>')).toBe('<example>x</example> 1 < 2');
  });

  it('are read in one pass, however they are made', async () => {
    const size = 200_000;
    const hostile = ['<p "', '<', '<ul>', '<li>x', '&#', '<blockquote>q', '<p>'].map((piece) =>
      piece.repeat(size),
    );
    const read = () => hostile.forEach((text) => markdownOf(`<p>x</p>${text}`));
    expect(await computedMs(read, 8_000)).toBeLessThan(8_000);
  });
});
