import { z } from 'zod';
import { jsonObject } from '../../api/flow-definition.js';
import type { NodeKind, NodeKinds } from '../engine/node-kind.js';
import { flowDefinition } from './flow-definition.js';

type Schema = Record<string, unknown>;

/** A member of the config of any node. */
const updateState = jsonObject
  .optional()
  .describe('Sets names of the flow state from the node’s own result: {{output}}, {{output.path}}.');

/** Returns the JSON Schema of a part of a definition as it is written. */
export const writtenSchema = (type: z.ZodType): Schema => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  return schema;
};

/**
 * Returns the JSON Schema of a definition for editors, with the config of every kind of node and a sentence about each
 * member.
 */
export function definitionSchema(kinds: NodeKinds): Schema {
  const schema = writtenSchema(flowDefinition);
  const nodes = (schema['properties'] as Record<string, Schema>)['nodes']!;
  const node = nodes['items'] as Schema;
  const configs = [...kinds.values()].map((kind) => ({ kind, ...configSchema(kind) }));
  const definitions = Object.assign({}, ...configs.map((config) => config.definitions)) as Schema;
  nodes['items'] = { anyOf: configs.map(({ kind, config }) => nodeSchema(node, kind, config)) };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...schema,
    ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}),
  };
}

/** Moves `$defs` of a config to the root of the whole schema, under names that begin with the kind. */
function configSchema({ kind, config }: NodeKind): { config: Schema; definitions: Schema } {
  const text = JSON.stringify(writtenSchema(config)).replaceAll('"#/$defs/', `"#/$defs/${kind}-`);
  const { $defs = {}, ...own } = JSON.parse(text) as Schema & { $defs?: Schema };
  const properties = { ...(own['properties'] as Schema), updateState: writtenSchema(updateState) };
  const definitions = Object.entries($defs).map(([name, part]) => [`${kind}-${name}`, part]);
  return { config: { ...own, properties }, definitions: Object.fromEntries(definitions) as Schema };
}

/** Returns the schema of a node of one kind; its config is optional when nothing in it is required. */
function nodeSchema(node: Schema, { kind, label, icon }: NodeKind, config: Schema): Schema {
  const { required = [], properties } = node as { required?: string[]; properties: Schema };
  const { description } = config;
  return {
    ...node,
    properties: {
      ...properties,
      kind: { const: kind, ...(description ? { description } : {}), title: label, icon },
      config,
    },
    required: (config['required'] as string[] | undefined)?.length ? [...required, 'config'] : required,
  };
}
