import { z } from 'zod';
import { jsonObject } from '../definition/flow-definition.js';
import type { NodeKind } from '../engine/node-kind.js';

const config = z
  .object({
    inputType: z.enum(['chat', 'form']).optional().describe('A message ("chat", the default) or a form.'),
    form: jsonObject.optional().describe('What a form asks, for the clients that show it.'),
    state: jsonObject
      .optional()
      .describe('First values of the flow state, for names that the chat does not know yet.'),
    ephemeralMemory: z.boolean().optional().describe('The chat’s earlier messages are not kept.'),
  })
  .describe('Where the flow begins: the question or the form.');

/** Where every flow begins: gives the question or the form, and the state its first values. */
export const startNode: NodeKind<z.infer<typeof config>> = {
  kind: 'start',
  label: 'Start',
  icon: 'play',
  config,
  streams: false,
  leafText: 'previous',
  outputMembers: () => ['question', 'form'],
  persists: ({ state, ephemeralMemory }) => ({
    state: state !== undefined,
    memory: ephemeralMemory !== true,
  }),
  async run({ config: { state: first = {} }, run, state }) {
    const fresh = Object.entries(first).filter(([name]) => !Object.hasOwn(state, name));
    const form = run.form === undefined ? {} : { form: run.form };
    return {
      output: { question: run.question, ...form },
      text: run.question,
      state: Object.fromEntries(fresh),
      traceInput: { question: run.question, ...form },
    };
  },
};
