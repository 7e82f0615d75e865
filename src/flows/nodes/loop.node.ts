import { z } from 'zod';
import type { NodeKind } from '../engine/node-kind.js';
import { pieces } from './reply.node.js';

const config = z
  .object({
    backTo: z
      .string()
      .min(1)
      .describe('Id of the node, before this one, that the body begins with. No template.'),
    max: z.int().min(1).max(1_000).optional().describe('How often the body runs in all; 5 when absent.'),
    fallbackMessage: z
      .string()
      .optional()
      .describe('What is said when the body has run that often; a template.'),
  })
  .describe(
    'Goes back and runs the nodes since then again, so often in all; then the flow goes on after it.',
  );

const USUAL_ROUNDS = 5;

/**
 * Goes back to a node until the body, from there to here, has run `max` times in all. Then it says its fallback message,
 * or nothing, and what follows it runs. An inner loop counts anew each time an outer one goes back.
 */
export const loopNode: NodeKind<z.infer<typeof config>> = {
  kind: 'loop',
  label: 'Loop',
  icon: 'cycle',
  config,
  streams: ({ fallbackMessage = '' }) => fallbackMessage !== '',
  leafText: 'own, else previous',
  outputMembers: () => ['round', 'max'],
  persists: () => ({ state: false }),
  rawTexts: ['backTo'],
  async run({ config: { backTo, max = USUAL_ROUNDS, fallbackMessage = '' }, round, isLeaf, token }) {
    if (round < max) return { output: { round, max }, text: '', loopBackTo: backTo };
    if (isLeaf) for (const piece of pieces(fallbackMessage)) token(piece);
    return { output: { round, max }, text: fallbackMessage };
  },
};
