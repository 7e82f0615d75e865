import type { Json } from '../engine/json.js';
import { isEmpty } from './texts/imported-texts.js';

type Inputs = Record<string, Json>;

const MOST_NAMES = 20;

/** Inputs without a meaning of their own: where an editor keeps what it shows, whose word an answer counts as there. */
const MEANINGLESS = new Set([
  ...['undefined', 'credential', 'FLOWISE_CREDENTIAL_ID', 'llmReturnResponseAs', 'agentReturnResponseAs'],
  ...['executeFlowReturnResponseAs', 'startPersistState', 'humanInputDescriptionType'],
]);

/** The inputs of a node, and afterwards the names of those that say something and that nobody has read. */
export function readInputs(given: Inputs): { inputs: Inputs; unread: () => string[] } {
  const read = new Set<PropertyKey>(MEANINGLESS);
  const inputs = new Proxy(given, {
    get(target, name) {
      read.add(name);
      return typeof name === 'string' && Object.hasOwn(target, name) ? target[name] : undefined;
    },
  });
  const isUnread = ([name, value]: [string, Json]): boolean =>
    !read.has(name) && !isEmpty(value) && value !== false;
  return {
    inputs,
    unread: () =>
      Object.entries(given)
        .filter(isUnread)
        .slice(0, MOST_NAMES)
        .map(([name]) => name.slice(0, 100)),
  };
}
