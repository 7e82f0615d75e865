import type { ClickType } from '../../../src/api/execution-terms.js';
import { listIn, objectIn, textIn } from '../../common/answer.js';
import { texts } from '../texts.js';

/** An approval question that the flow waits on. */
export interface Decision {
  /** Identifies this question. */
  startNodeId: string;
  choices: { type: ClickType; label: string }[];
  /** A comment may go with the answer. */
  feedback: boolean;
  /** The tool calls to approve. */
  calls: ToolCall[];
}

export interface ToolCall {
  tool: string;
  /** Indented JSON. */
  arguments: string;
}

const MOST_FOLLOW_UPS = 12;

/** Parses the flow's suggested prompts, a list as JSON text. */
export function followUpsIn(value: unknown): string[] {
  try {
    const prompts = listIn(JSON.parse(textIn(value)));
    return prompts.filter((prompt) => typeof prompt === 'string').slice(0, MOST_FOLLOW_UPS);
  } catch {
    return [];
  }
}

const answers: ReadonlyMap<unknown, ClickType> = new Map([
  ['agentflowv2-approve-button', 'proceed'],
  ['agentflowv2-reject-button', 'reject'],
]);

export function decisionIn(action: unknown): Decision | undefined {
  const { elements, data } = objectIn(action);
  const choices = listIn(elements).flatMap((element) => {
    const type = answers.get(objectIn(element)['type']);
    const fallback = type === 'proceed' ? texts.proceed : texts.reject;
    return type ? [{ type, label: textIn(objectIn(element)['label']) || fallback }] : [];
  });
  const { nodeId, input } = objectIn(data);
  if (choices.length === 0 || typeof nodeId !== 'string') return undefined;
  const { humanInputEnableFeedback, calls } = objectIn(input);
  return {
    startNodeId: nodeId,
    choices,
    feedback: humanInputEnableFeedback === true,
    calls: listIn(calls).map(callIn),
  };
}

function callIn(call: unknown): ToolCall {
  const { tool, arguments: given } = objectIn(call);
  return { tool: textIn(tool), arguments: JSON.stringify(given ?? {}, undefined, 2) };
}
