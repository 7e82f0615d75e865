import type { HumanAnswer } from '../../engine/human-question.js';
import type { Json } from '../../engine/json.js';
import { isMalformed, type ToolCall } from '../../models/tool-call.js';
import { argumentFault } from '../../tools/arguments.js';
import type { ToolBox } from '../../tools/tool-box.js';
import type { ToolUser } from '../../tools/tool.js';
import { failedOutcome, type ToolOutcome, useTool } from '../../tools/use-tool.js';

/** A call of a round; without an outcome it waits for approval. */
export type RoundCall = { call: ToolCall; outcome?: ToolOutcome };

interface Round {
  user: ToolUser;
  round: number;
}

/** Calls of one answer that are made. */
const MOST_CALLS = 64;
const LONGEST_NAME = 64;

/** Makes the calls of one answer at once, except those that need approval. Resolves in the order of the answer. */
export const roundCalls = (
  calls: readonly ToolCall[],
  box: ToolBox,
  { user, round }: Round,
): Promise<RoundCall[]> =>
  Promise.all(
    calls.map(async (call, index): Promise<RoundCall> => {
      const fault = index < MOST_CALLS ? faultOf(call, box) : `At most ${MOST_CALLS} calls are made at once.`;
      if (fault !== undefined || isMalformed(call))
        return { call, outcome: await refused(call, fault ?? '', user) };
      const tool = box.tools.get(call.name)!;
      if (tool.needsApproval && (await argumentFault(tool.parameters, call.arguments)) === undefined)
        return { call };
      return { call, outcome: await useTool(tool, call.arguments, placeOf(round, index), user) };
    }),
  );

/** Makes or rejects the waiting calls as a human has decided; the others stay unchanged. */
export const decided = (
  calls: readonly RoundCall[],
  { type, feedback = '' }: HumanAnswer,
  box: ToolBox,
  { user, round }: Round,
): Promise<RoundCall[]> =>
  Promise.all(
    calls.map(async (waiting, index): Promise<RoundCall> => {
      const { call, outcome } = waiting;
      if (outcome !== undefined || isMalformed(call)) return waiting;
      const comment = feedback.trim() === '' ? '' : ` They said: ${feedback}`;
      if (type === 'reject')
        return { call, outcome: await refused(call, `A human did not allow this call.${comment}`, user) };
      const tool = box.tools.get(call.name);
      if (!tool) return { call, outcome: await refused(call, faultOf(call, box) ?? '', user) };
      const made = await useTool(tool, call.arguments, placeOf(round, index), user);
      const text = comment === '' ? made.text : `${made.text}\n\nA human allowed this call.${comment}`;
      return { call, outcome: { ...made, text } };
    }),
  );

/** Returns the place of a call in the journal; round and call count from 1. */
const placeOf = (round: number, index: number): string => `${round}/${index + 1}`;

function faultOf(call: ToolCall, box: ToolBox): string | undefined {
  if (isMalformed(call))
    return `This call could not be read: ${call.malformed.fault}. Call the tool again with a JSON object.`;
  if (box.tools.has(call.name)) return undefined;
  const names = [...box.tools.keys()].slice(0, 50).map((name) => `"${name}"`);
  const known = names.length === 0 ? 'There are no tools.' : `There are ${names.join(', ')}.`;
  return `There is no tool "${call.name.slice(0, LONGEST_NAME)}". ${known}`;
}

/** Records a rejected call in the trace like one that was made. */
const refused = (call: ToolCall, fault: string, user: ToolUser): Promise<ToolOutcome> => {
  const name = call.name.slice(0, LONGEST_NAME) || 'unnamed';
  const input: Json = isMalformed(call) ? call.malformed.raw : call.arguments;
  return user.call({ name, kind: 'tool', input }, () => Promise.resolve(failedOutcome(fault)));
};
