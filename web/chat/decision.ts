import { listIn, objectIn, textIn } from '../common/answer.js';

/** What the flow asks a human to decide before it goes on. */
export interface Decision {
  startNodeId?: string;
  choices: { type: 'proceed' | 'reject'; label: string }[];
}

const MOST_FOLLOW_UPS = 6;

/** Prompts that the flow suggests next: a JSON text of a list. */
export function followUpsIn(value: unknown): string[] {
  try {
    const prompts = listIn(JSON.parse(textIn(value)));
    return prompts.filter((prompt) => typeof prompt === 'string').slice(0, MOST_FOLLOW_UPS);
  } catch {
    return [];
  }
}

const answers: ReadonlyMap<unknown, 'proceed' | 'reject'> = new Map([
  ['agentflowv2-approve-button', 'proceed'],
  ['agentflowv2-reject-button', 'reject'],
]);

export function decisionIn(action: unknown): Decision | undefined {
  const { elements, data } = objectIn(action);
  const choices = listIn(elements).flatMap((element) => {
    const type = answers.get(objectIn(element)['type']);
    const fallback = type === 'proceed' ? 'Proceed' : 'Reject';
    return type ? [{ type, label: textIn(objectIn(element)['label']) || fallback }] : [];
  });
  if (choices.length === 0) return undefined;
  const startNodeId = objectIn(data)['nodeId'];
  return { choices, ...(typeof startNodeId === 'string' ? { startNodeId } : {}) };
}
