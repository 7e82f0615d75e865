import { z } from 'zod';
import type { NodeKind } from '../engine/node-kind.js';
import { textOf } from '../engine/template.js';
import { jsonList } from './json-list.js';

const config = z
  .object({
    message: z.string().describe('The text; a template such as "Hello! You said: {{question}}".'),
    choices: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('Answers that chat clients offer as buttons; templates, or one template for a JSON array.'),
  })
  .describe('Replies with a text.');

const MOST_PIECES = 8;

const CHOICES = { name: 'choices', most: 50 };

/** Replies with a text. A leaf emits it in a few pieces, like any other stream. */
export const replyNode: NodeKind<z.infer<typeof config>> = {
  kind: 'reply',
  label: 'Reply',
  icon: 'speech',
  config,
  streams: true,
  leafText: 'own',
  outputMembers: () => ['content'],
  persists: () => ({ state: false }),
  async run({ config: { message, choices = [] }, isLeaf, token }) {
    // Exports write an empty text where they mean an empty list.
    const isEmpty = typeof choices === 'string' && choices.trim() === '';
    const offered = isEmpty ? [] : jsonList(choices, CHOICES).map(textOf);
    if (isLeaf) for (const piece of pieces(message)) token(piece);
    return {
      output: { content: message },
      text: message,
      ...(offered.length === 0 ? {} : { followUpPrompts: offered }),
    };
  },
};

/** Cuts a text after words into at most eight pieces. */
export function pieces(text: string): string[] {
  const step = Math.max(1, Math.ceil(text.length / MOST_PIECES));
  const found: string[] = [];
  for (let from = 0; from < text.length;) {
    const blank = text.indexOf(' ', from + step - 1);
    const to = blank < 0 ? text.length : blank + 1;
    found.push(text.slice(from, to));
    from = to;
  }
  return found;
}
