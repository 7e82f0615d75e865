import type { JsonSchema } from '../../../api/route-note.js';
import { flowDefinition } from '../../../flows/definition/flow-definition.js';
import { schemaOf } from './body-schema.js';
import { inspectionSchemas } from './inspections.js';
import { flag, number, shape, text, time } from './shape.js';

const flow = shape({
  id: text,
  name: text,
  price: number,
  account: text,
  access: { type: 'object' },
  revision: text,
  isStreaming: flag,
  createdAt: time,
  updatedAt: time,
});

/** Answers whose schemas need more than zod: a flow is its definition with members of the store; in lists without nodes and edges. */
export const answerSchemas: Readonly<Record<string, JsonSchema>> = {
  ...inspectionSchemas,
  Flow: {
    ...flow,
    properties: {
      ...(schemaOf(flowDefinition)['properties'] as Record<string, JsonSchema>),
      ...(flow['properties'] as object),
    },
  },
};
