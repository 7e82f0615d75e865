import { z } from 'zod';
import { jsonObject } from '../../api/flow-definition.js';
import type { NodeKind } from '../engine/node-kind.js';

const config = z
  .object({
    inputType: z
      .enum(['chat', 'form'])
      .optional()
      .describe('The input: a message ("chat", the default) or a form.'),
    form: jsonObject
      .optional()
      .describe(
        'The form that clients show: { title, description, inputs: [{ name, label, type, options }] }.',
      ),
    state: jsonObject
      .optional()
      .describe('Initial values of the flow state, for names that the chat does not have yet.'),
    ephemeralMemory: z.boolean().optional().describe('Whether earlier messages of the chat are ignored.'),
  })
  .describe('The beginning of the flow: the question or the form.');

/** The first node of every flow: returns the question or the form, and sets the initial state. */
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
