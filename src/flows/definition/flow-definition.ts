import { z } from 'zod';
import type { Json } from '../engine/json.js';

/** Ids that an admin may choose (contract section 1). Anything else in a path is no flow. */
export const FLOW_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{2,63}$/;

/** Ids of nodes: no dots, because `{{nodeId.output.path}}` is split at them. */
const NODE_ID = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$/;

/** `node.config.path`, the way an `overrides` entry names a config value that callers may set. */
const OVERRIDE = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}(\.[A-Za-z0-9_-]{1,100}){1,8}$/;

const DOMAIN = /^(\*\.)?([\p{L}\p{N}._-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(:\d{1,5})?$/u;

const isObject = (value: unknown): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON object kept as it is: `z.record` drops a member named `__proto__`, an ordinary name here. */
export const jsonObject = z.custom<Record<string, Json>>(isObject, 'must be an object');

const isVariable = (value: unknown): boolean =>
  isObject(value) &&
  Object.hasOwn(value, 'value') &&
  (value['locked'] === undefined || typeof value['locked'] === 'boolean');

const vars = z
  .custom<Record<string, { value: Json; locked?: boolean }>>(isObject, 'must be an object')
  .check((context) => {
    for (const [name, value] of Object.entries(context.value)) {
      if (isVariable(value)) continue;
      context.issues.push({
        code: 'custom',
        input: value,
        path: [name],
        message: 'must be an object { value, locked? }',
      });
    }
  });

const rateLimit = z.object({
  limit: z.int().min(1).max(1_000_000),
  windowSeconds: z.int().min(1).max(31_536_000),
  message: z.string().max(1_000).optional(),
});

const access = z.object({
  /** The key that alone opens the flow; null = open to anyone who knows its id. */
  apiKeyId: z.string().min(1).max(200).nullable().optional(),
  allowedDomains: z
    .array(z.string().regex(DOMAIN, 'must be a host such as example.com, *.example.com or localhost:3000'))
    .max(1_000)
    .optional(),
  public: z.boolean().optional(),
  rateLimit: rateLimit.nullable().optional(),
});

const node = z.object({
  id: z.string().regex(NODE_ID, 'must be 1 to 128 letters, digits, _ or -'),
  kind: z.string().min(1).max(50),
  label: z.string().max(200).optional(),
  config: jsonObject.optional(),
  /** The iteration that this node is part of. */
  parentNode: z.string().optional(),
  /** Where an editor draws it. */
  position: z.object({ x: z.number(), y: z.number() }).optional(),
});

const edge = z.object({
  from: z.string(),
  to: z.string(),
  /** The branch of a branching node that takes this edge. */
  on: z.string().optional(),
});

/** What a flow is (contract section 9). */
export const flowDefinition = z.object({
  id: z
    .string()
    .regex(FLOW_ID, 'must be 3 to 64 letters, digits, _ or -, beginning with a letter or digit')
    .optional(),
  name: z.string().min(1).max(200),
  description: z.string().max(10_000).optional(),
  /** Credits of one run; 1 when absent. */
  price: z.int().min(0).max(1_000_000_000).optional(),
  /** Who pays; `default` when absent. */
  account: z.string().min(1).max(100).optional(),
  access: access.optional(),
  exposeTrace: z.boolean().optional(),
  vars: vars.optional(),
  /** Config values that callers may set through `overrideConfig`, each as `nodeId.name`. */
  overrides: z
    .array(z.string().regex(OVERRIDE, 'must be nodeId.name, such as llm.model.temperature'))
    .max(1_000)
    .optional(),
  /** What chat clients show: starter prompts, feedback, leads, uploads. */
  chat: jsonObject.optional(),
  nodes: z.array(node).min(1).max(1_000),
  edges: z.array(edge).max(10_000).default([]),
});

export type FlowDefinition = z.infer<typeof flowDefinition>;

/** A definition's access rules with every default in place (contract section 4). */
export interface AccessRules {
  apiKeyId: string | null;
  allowedDomains: readonly string[];
  public: boolean;
  rateLimit: { limit: number; windowSeconds: number; message?: string | undefined } | null;
}

export const accessOf = ({ access }: FlowDefinition): AccessRules => ({
  apiKeyId: access?.apiKeyId ?? null,
  allowedDomains: access?.allowedDomains ?? [],
  public: access?.public ?? false,
  rateLimit: access?.rateLimit ?? null,
});
