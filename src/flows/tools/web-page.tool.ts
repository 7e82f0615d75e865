import { z } from 'zod';
import type { OutboundHttp } from '../../common/outbound/outbound-http.js';
import { receivedText } from '../../common/texts/received-text.js';
import { textOf } from '../engine/template.js';
import { readableText } from './readable-text.js';
import { callOnce, oneTool, ToolFailed, toolSettings, type ToolType } from './tool.js';

const settings = z
  .object({
    tool: z.literal('web-page'),
    ...toolSettings,
    maxCharacters: z
      .int()
      .min(100)
      .max(500_000)
      .optional()
      .describe('Characters of the page for the model; 20,000 when absent.'),
  })
  .describe('Reads a web page as text.');

const PARAMETERS = {
  type: 'object',
  properties: { url: { type: 'string', description: 'The http or https address of the page.' } },
  required: ['url'],
};

const USUAL_CHARACTERS = 20_000;
const MOST_BYTES = 5 * 1024 * 1024;

/** Reads the text of a page under the rules of `common/outbound/outbound-http`. */
export const webPageTool = (http: OutboundHttp): ToolType<z.infer<typeof settings>> => ({
  tool: 'web-page',
  settings,
  open: async ({ name = 'web-page', description, maxCharacters = USUAL_CHARACTERS }, user) =>
    oneTool(
      {
        name,
        description: description ?? 'Reads a web page as text.',
        parameters: PARAMETERS,
        call: ({ url }, place) =>
          callOnce('web-page', place, true, async () => {
            const headers = { accept: 'text/html, text/plain;q=0.9, */*;q=0.1' };
            const answer = await http.request({
              ...{ url: textOf(url ?? ''), headers, maxBytes: MOST_BYTES },
              signal: user.signal,
            });
            if (answer.status >= 400) throw new ToolFailed(`The page answered ${answer.status}.`);
            const whole = pageText(answer.headers['content-type'] ?? '', answer.body);
            const cut = whole.length > maxCharacters;
            const text = cut
              ? `${whole.slice(0, maxCharacters).toWellFormed()}\n[cut, ${whole.length} characters in all]`
              : whole;
            return { text, output: { url: answer.url, text } };
          }),
      },
      user,
    ),
});

function pageText(contentType: string, body: Buffer): string {
  const type = contentType.toLowerCase();
  if (/html/.test(type) || type === '') return readableText(receivedText(body, contentType));
  if (/^text\/|json|xml/.test(type)) return receivedText(body, contentType);
  throw new ToolFailed(`The address gives ${contentType.slice(0, 100)}, which is not a text page.`);
}
