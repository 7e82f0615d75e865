import type { StreamedCall } from '../../api/predictions.js';
import type { Json } from '../engine/json.js';
import { argumentFault } from './arguments.js';
import { type OfferedTool, ToolFailed, type ToolResult, type ToolUser } from './tool.js';

/** Characters of a result for a model. */
const MOST_TEXT = 100_000;
/** Characters of a result in events. */
const MOST_SHOWN = 10_000;

/** The outcome of a call, also of a failed one. */
export type ToolOutcome = { text: string; output: Json; error?: string; tokens?: ToolResult['tokens'] };

/**
 * Makes a call with its own entry in the trace; `place` (round and call) names its effects. Invalid arguments and failures
 * are outcomes too. Rejects when the node cannot continue.
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
    message: `"${name}" returned ${text.length} characters; the model received the first ${MOST_TEXT}.`,
  });
  return `${text.slice(0, MOST_TEXT).toWellFormed()}\n[cut, ${text.length} characters in all]`;
}

/** Returns a call for clients (`calledTools`, `usedTools`) in the form of Flowise. */
export const drawnCall = (tool: string, toolInput: Json, outcome?: ToolOutcome): StreamedCall => ({
  tool,
  toolInput,
  toolOutput: outcome === undefined ? '' : outcome.text.slice(0, MOST_SHOWN).toWellFormed(),
  ...(outcome?.error === undefined ? {} : { error: outcome.error }),
});
