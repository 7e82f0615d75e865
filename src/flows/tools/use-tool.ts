import type { Json } from '../engine/json.js';
import { argumentFault } from './arguments.js';
import { type OfferedTool, ToolFailed, type ToolResult, type ToolUser } from './tool.js';

/** Of what a tool brought, so much is told to a model. */
const MOST_TEXT = 100_000;
/** Of that, so much goes into events. */
const MOST_SHOWN = 10_000;

/** The end of a call, good or bad. */
export type ToolOutcome = { text: string; output: Json; error?: string; tokens?: ToolResult['tokens'] };

/**
 * Carries out a call: a run of its own in the trace, `place` names its effects (round and place in it). Arguments that do
 * not fit and a tool that fails are an outcome too; rejects where the node cannot go on.
 */
export const useTool = (
  tool: OfferedTool,
  args: Record<string, Json>,
  place: string,
  user: ToolUser,
): Promise<ToolOutcome> =>
  user.call({ name: tool.name, kind: 'tool', input: args }, async (runId) => {
    const fault = await argumentFault(tool.parameters, args);
    if (fault !== undefined) return failedOutcome(`The arguments do not fit: ${fault}.`);
    try {
      const { sources, ...result } = await tool.call(args, {
        user,
        effects: user.effects.within(place),
        at: place,
        runId,
      });
      if (sources !== undefined) user.sources(sources);
      return { ...result, text: limited(result.text, tool.name, user) };
    } catch (error) {
      if (error instanceof ToolFailed) return failedOutcome(error.message);
      throw error;
    }
  });

export const failedOutcome = (error: string): ToolOutcome => ({ text: error, output: null, error });

function limited(text: string, name: string, { warn }: ToolUser): string {
  if (text.length <= MOST_TEXT) return text;
  warn({
    code: 'tool_result_cut',
    message: `"${name}" brought ${text.length} characters; the model was told the first ${MOST_TEXT}.`,
  });
  return `${text.slice(0, MOST_TEXT).toWellFormed()}\n[cut, ${text.length} characters in all]`;
}

/** A call as clients draw it (`calledTools`, `usedTools`), in the shape of Flowise's published ones. */
export const drawnCall = (tool: string, toolInput: Json, outcome?: ToolOutcome): Json => ({
  tool,
  toolInput,
  toolOutput: outcome === undefined ? '' : outcome.text.slice(0, MOST_SHOWN).toWellFormed(),
  ...(outcome?.error === undefined ? {} : { error: outcome.error }),
});
