import { z } from 'zod';
import { Overloaded } from '../../common/service-error.js';
import type { Json } from '../engine/json.js';
import type { NodeEffects } from '../engine/node-effects.js';
import type { NodeContext } from '../engine/node-kind.js';
import { causeOf, codeOf } from '../engine/run-failure.js';
import { isTooLarge, TOO_LARGE } from '../schema/schema-cost.js';

/** The settings that every tool may have, wherever one is named (contract section 9). */
export const toolSettings = {
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -')
    .optional()
    .describe('What the model calls it; of an mcp server in a tool node: which of its tools.'),
  description: z.string().max(4_000).optional().describe('What it is for, told to the model; a template.'),
  requiresApproval: z
    .boolean()
    .optional()
    .describe('The run stops before each call until a human has allowed it.'),
};

/** `parameters` of the tools whose arguments their author says. */
export const parametersSetting = z
  .custom<Record<string, Json>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be a JSON Schema of an object',
  )
  .refine((schema) => !isTooLarge(schema), TOO_LARGE)
  .meta({ type: 'object' })
  .optional()
  .describe('JSON Schema of the arguments; texts read them as {{$args.name}}.');

export interface ToolSettings {
  tool: string;
  name?: string | undefined;
  description?: string | undefined;
  requiresApproval?: boolean | undefined;
}

/** A node that uses tools, as far as a tool may know it. */
export type ToolUser = Pick<
  NodeContext<unknown>,
  | 'nodeId'
  | 'run'
  | 'signal'
  | 'warn'
  | 'secret'
  | 'masked'
  | 'filled'
  | 'value'
  | 'effects'
  | 'call'
  | 'sources'
  | 'progress'
  | 'state'
  | 'runFlow'
>;

/** One call of a tool: its effects are named by its place; what it runs stands below `runId` in the trace. */
export interface ToolPlace {
  user: ToolUser;
  effects: NodeEffects;
  /** `<round>/<place>` in an agent; absent in a node that is one call. */
  at?: string;
  /** Absent: the node's own run. */
  runId?: string;
}

/** The result of a call: `text` for the model, `output` for the trace and for templates. */
export type ToolResult = {
  text: string;
  output: Json;
  sources?: Json;
  /** Not yet counted for the node. */
  tokens?: { inputTokens: number; outputTokens: number };
};

/** A tool as a model may call it. */
export interface OfferedTool {
  name: string;
  description?: string;
  /** JSON Schema of an object. */
  parameters: Json;
  /** Throws `ToolFailed` with what the model shall be told; any other error fails the node. */
  call(args: Record<string, Json>, place: ToolPlace): Promise<ToolResult>;
}

/** The offer of one tool's settings: mostly one, of an MCP server what it lists, of a missing one nothing. */
export interface OpenTool {
  tools: readonly OfferedTool[];
  close?(): Promise<void>;
}

/** The offer of a type that is one tool. Its description is a template. */
export async function oneTool(
  { description, ...tool }: OfferedTool,
  user: Pick<ToolUser, 'filled'>,
): Promise<OpenTool> {
  const filled = description === undefined ? {} : { description: await user.filled(description) };
  return { tools: [{ ...tool, ...filled }] };
}

/**
 * A type of tool: its settings and the tools that they offer. Each type has a file in `flows/tools/`, listed in
 * `built-in-tools.ts`; upper modules register theirs.
 */
export interface ToolType<Settings extends ToolSettings = ToolSettings> {
  tool: string;
  settings: z.ZodObject;
  /** Secrets that stand in the settings as written. */
  secretsIn?(settings: Record<string, Json>): string[];
  /** Written as a method, so that a type of any settings fits into the list. Throws to fail the node. */
  open(settings: Settings, user: ToolUser): Promise<OpenTool>;
}

/** A call that brought nothing; the model is told the message and may go on. */
export class ToolFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ToolFailed';
  }
}

/**
 * An error of a call, as the model may be told it. Throws where the run is to end instead: it was stopped, nobody knows
 * what was done, or the service itself was away, which is no answer of the tool's.
 */
export function failureOf(
  error: unknown,
  { signal, masked }: Pick<ToolUser, 'signal' | 'masked'>,
): ToolFailed {
  signal.throwIfAborted();
  if (codeOf(error) !== undefined || causeOf(error) instanceof Overloaded) throw error;
  if (error instanceof ToolFailed) return error;
  const message = masked(error instanceof Error ? error.message : String(error));
  return new ToolFailed(message.slice(0, 2_000) || 'The tool failed.', error);
}

type StoredCall = { result: ToolResult } | { failed: string };

/**
 * Does a call once for the run, whatever number of attempts that takes: what it brought is kept, and that it failed too, so
 * that a model that was told so is told the same again. Throws `EffectUnknown` where an earlier attempt died over it.
 */
export async function callOnce(
  name: string,
  { user, effects }: ToolPlace,
  repeatable: boolean,
  send: (idempotencyKey: string) => Promise<ToolResult>,
): Promise<ToolResult> {
  const stored = await effects.outside<StoredCall>(name, { repeatable }, async (key) => {
    try {
      return { result: await send(key) };
    } catch (error) {
      return { failed: failureOf(error, user).message };
    }
  });
  if ('failed' in stored) throw new ToolFailed(stored.failed);
  return stored.result;
}
