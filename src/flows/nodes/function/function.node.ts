import { z } from 'zod';
import { jsonObject } from '../../../api/flow-definition.js';
import { parseInTurns } from '../../../common/json/json-buffer.js';
import type { Json } from '../../engine/json.js';
import type { NodeContext, NodeKind } from '../../engine/node-kind.js';
import { nodeValues } from '../../engine/node-values.js';
import type { FunctionSandbox } from './function-sandbox.js';

const MOST_MS = 1_000;
const MOST_MB = 64;

/** The settings of a function. */
export const functionSettings = {
  code: z
    .string()
    .min(1)
    .max(256 * 1024)
    .describe('The body of an async function in JavaScript that returns a value. Not a template.'),
  timeoutMs: z
    .int()
    .min(1)
    .max(MOST_MS)
    .optional()
    .describe('The time limit in milliseconds; 1000 when absent.'),
  memoryMb: z.int().min(1).max(MOST_MB).optional().describe('The memory limit in MB; 64 when absent.'),
};

const config = z
  .object({
    ...functionSettings,
    inputs: jsonObject.optional().describe('Name → template or value; the code reads each as $name.'),
  })
  .describe(
    'Computes a value with JavaScript without access to anything outside: {{id}}, {{id.output.path}}.',
  );

type FunctionConfig = z.infer<typeof config>;

/**
 * Runs JavaScript of the flow's author in a sandbox process. The code reads its inputs, `$vars` and `$flow`, and returns a
 * value. It has no network, modules or timers, and keeps nothing between runs.
 */
export const functionNode = (sandbox: FunctionSandbox): NodeKind<FunctionConfig> => ({
  kind: 'function',
  label: 'Function',
  icon: 'braces',
  config,
  streams: true,
  leafText: 'own',
  /** The code is never filled with values from callers. */
  rawTexts: ['code', 'inputs'],
  filledLater: ['inputs'],
  async run(context) {
    const { config } = context;
    const inputs = await filledInputs(config.inputs ?? {}, context);
    return { output: await computed(sandbox, config, inputs, context), traceInput: { inputs } };
  },
});

/** Returns the value of a function for these inputs. Throws with a sentence when it fails. */
export async function computed(
  sandbox: FunctionSandbox,
  { code, timeoutMs = MOST_MS, memoryMb = MOST_MB }: z.infer<z.ZodObject<typeof functionSettings>>,
  inputs: Record<string, Json>,
  { run, state, signal }: Pick<NodeContext<unknown>, 'run' | 'state' | 'signal'>,
): Promise<Json> {
  const globals = globalsOf(inputs, { run, state });
  const end = await sandbox.run({ code, globals, timeoutMs, memoryMb }, { flowId: run.flowId, signal });
  if ('error' in end) throw new Error(end.error);
  return valueOf(end.result);
}

async function filledInputs(
  inputs: Record<string, Json>,
  { value }: NodeContext<FunctionConfig>,
): Promise<Record<string, Json>> {
  const filled: [string, Json][] = [];
  for (const [name, written] of Object.entries(inputs)) filled.push([name, await value(written)]);
  return Object.fromEntries(filled);
}

function globalsOf(
  inputs: Record<string, Json>,
  { run, state }: Pick<NodeContext<unknown>, 'run' | 'state'>,
): Record<string, Json> {
  const { question, chatId, sessionId, flowId, executionId } = run;
  const named = Object.entries(inputs).map(([name, value]): [string, Json] => [`$${name}`, value]);
  return Object.fromEntries([
    ['$input', question],
    ...named,
    ['$vars', Object.fromEntries(run.vars)],
    ['$flow', { state, chatId, sessionId, flowId, executionId, input: question }],
  ]);
}

async function valueOf(result: string): Promise<Json> {
  try {
    return (await parseInTurns(result, nodeValues.share)) as Json;
  } catch (error) {
    throw new Error(
      `The function returned a value that is nested too deep or too wide. At most 64 levels and ${nodeValues.share} values are allowed.`,
      { cause: error },
    );
  }
}
