import { z } from 'zod';
import type { SourceDocument } from '../../api/documents.js';
import { Overloaded } from '../../common/service-error.js';
import type { Json } from '../engine/json.js';
import type { NodeEffects } from '../engine/node-effects.js';
import type { NodeContext } from '../engine/node-kind.js';
import { causeOf, codeOf } from '../engine/run-failure.js';
import { isTooLarge, TOO_LARGE } from '../schema/schema-cost.js';

/** The settings of every tool (contract section 9). */
export const toolSettings = {
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -')
    .optional()
    .describe('Its name for the model; for an MCP server in a tool node, the tool to call.'),
  description: z.string().max(4_000).optional().describe('Its purpose, for the model; a template.'),
  requiresApproval: z
    .boolean()
    .optional()
    .describe('Whether the run pauses before each call until a human approves it.'),
};

/** `parameters` of tools whose author defines the arguments. */
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

/** The part of a node's context that its tools may use. */
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

/** The place of a tool call, which names its effects; its sub-runs are below `runId` in the trace. */
export interface ToolPlace {
  user: ToolUser;
  effects: NodeEffects;
  /** `<round>/<place>` in an agent; absent in a tool node. */
  at?: string;
  /** The run in the trace; absent: the node's own. */
  runId?: string;
}

/** The result of a call: `text` for the model, `output` for the trace and for templates. */
export type ToolResult = {
  text: string;
  output: Json;
  sources?: SourceDocument[];
  /** Tokens that were not counted for the node yet. */
  tokens?: { inputTokens: number; outputTokens: number };
};

/** A tool that a model may call. */
export interface OfferedTool {
  name: string;
  description?: string;
  /** JSON Schema of an object. */
  parameters: Json;
  /** Calls the tool. Throws `ToolFailed` with a message for the model; any other error fails the node. */
  call(args: Record<string, Json>, place: ToolPlace): Promise<ToolResult>;
}

/** The tools that one tool's settings offer: usually one, all those of an MCP server, none for a missing tool. */
export interface OpenTool {
  tools: readonly OfferedTool[];
  close?(): Promise<void>;
}

/** Opens a type that offers one tool. Its description is a template. */
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
  /** Returns the secrets in the settings as written. */
  secretsIn?(settings: Record<string, Json>): string[];
  /** Opens the tools. A method, so that a type of any settings fits into the list. Throws to fail the node. */
  open(settings: Settings, user: ToolUser): Promise<OpenTool>;
}

/** Returns true for a setting, or an argument of a model, that has a value. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Returns `parameters` with those arguments, JSON Schemas by name, that the settings leave open to the model. */
export function openParameters(all: Readonly<Record<string, unknown>>, settings: ToolSettings): Json {
  const given = settings as unknown as Readonly<Record<string, unknown>>;
  const open = Object.entries(all).filter(([name]) => !isGiven(given[name]));
  return { type: 'object', properties: Object.fromEntries(open) as Record<string, Json> };
}

/** A failed call; the model receives the message and may continue. */
export class ToolFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ToolFailed';
  }
}

/**
 * Converts the error of a call to a failure for the model. Throws when the run must end instead: it was aborted, the outcome
 * of the effect is unknown, or the service itself is overloaded.
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
 * Makes a call once for the run, over all attempts: its result or failure is stored, so that the model receives the same
 * again. Throws `EffectUnknown` when an earlier attempt ended during the call.
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
