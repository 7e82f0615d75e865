import { z } from 'zod';
import { jsonObject } from '../definition/flow-definition.js';
import type { NodeKind } from '../engine/node-kind.js';

const config = z.object({
  inputType: z.enum(['chat', 'form']).optional(),
  /** What a form asks; for the clients that show it. */
  form: jsonObject.optional(),
  /** First values of the flow state, for names that the chat does not know yet. */
  state: jsonObject.optional(),
  /** The chat's earlier messages are not kept. */
  ephemeralMemory: z.boolean().optional(),
});

/** Where every flow begins: gives the question or the form, and the state its first values. */
export const startNode: NodeKind<z.infer<typeof config>> = {
  kind: 'start',
  config,
  streams: false,
  leafText: 'previous',
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
