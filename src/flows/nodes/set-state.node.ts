import { z } from 'zod';
import { jsonObject } from '../../api/flow-definition.js';
import type { Json } from '../engine/json.js';
import type { NodeKind } from '../engine/node-kind.js';

const config = z
  .object({ state: jsonObject.describe('Name → template or value; read as {{$flow.state.name}}.') })
  .describe('Sets names of the flow state, which is stored with the chat.');

/** Sets names of the flow state. A template that is a single reference keeps the type of its value. */
export const setStateNode: NodeKind<z.infer<typeof config>> = {
  kind: 'set-state',
  label: 'Set state',
  icon: 'checklist',
  config,
  streams: false,
  rawTexts: ['state'],
  filledLater: ['state'],
  leafText: 'previous',
  outputMembers: ({ state }) =>
    typeof state === 'object' && state !== null && !Array.isArray(state) ? Object.keys(state) : undefined,
  persists: () => ({ state: true }),
  async run({ config: { state }, value }) {
    const entries: [string, Json][] = [];
    for (const [name, written] of Object.entries(state)) entries.push([name, await value(written)]);
    const values = Object.fromEntries(entries);
    return { output: values, state: values, traceInput: { state: values } };
  },
};
