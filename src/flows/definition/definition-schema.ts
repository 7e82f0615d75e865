import { z } from 'zod';
import type { NodeKinds } from '../engine/node-kind.js';
import { flowDefinition } from './flow-definition.js';

type Schema = Record<string, unknown>;

const schemaOf = (type: z.ZodType): Schema => z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });

/** The JSON Schema of a definition, with the config of every kind that this version has. */
export function definitionSchema(kinds: NodeKinds): Schema {
  const schema = schemaOf(flowDefinition);
  const properties = schema['properties'] as Record<string, { items?: Schema }>;
  const node = properties['nodes']!.items!;
  const members = node['properties'] as Schema;
  properties['nodes']!.items = {
    anyOf: [...kinds.values()].map((kind) => {
      const { $schema: _, ...config } = schemaOf(kind.config);
      return { ...node, properties: { ...members, kind: { const: kind.kind }, config } };
    }),
  };
  for (const name of ['vars', 'chat']) Object.assign(properties[name]!, { type: 'object' });
  return schema;
}
