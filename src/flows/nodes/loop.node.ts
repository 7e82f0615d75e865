import { z } from 'zod';
import type { NodeKind } from '../engine/node-kind.js';
import { pieces } from './reply.node.js';

const config = z
  .object({
    backTo: z.string().min(1).describe('Id of the first node of the body, before this one. Not a template.'),
    max: z.int().min(1).max(1_000).optional().describe('Runs of the body in total; 5 when absent.'),
    fallbackMessage: z.string().optional().describe('The text after the last run of the body; a template.'),
  })
  .describe(
    'Goes back and runs the nodes from there again, up to a total of max runs; then the flow continues.',
  );

const USUAL_ROUNDS = 5;

/**
 * Goes back to a node until the body, from there to this node, has run `max` times. Then its text is the fallback message
 * and the flow continues. An inner loop counts from the start each time an outer one goes back.
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
