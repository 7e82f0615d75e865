import { declareBudget } from '../../common/budgets/budget.js';
import { parseJson } from '../../common/json/json-text.js';
import type { Json } from './json.js';

/** The limit of JSON from outside that becomes a node's output, since the main thread handles it. */
export const nodeValues = declareBudget({
  name: 'values of JSON from a target, a function or a tool',
  unit: 'values',
  owner: 'call',
  share: 100_000,
  beyond: 'the node fails with a sentence, as does the call of a tool',
  reason:
    'Ten thousand rows of ten columns, twice what a request may have; counted as they arrive, parsed in turns.',
});

/** Returns the JSON value of a filled text, or the text where it is not JSON or exceeds the limits of JSON. */
export function jsonOrText(text: string): Json {
  try {
    return parseJson(text.trim(), nodeValues.share) as Json;
  } catch {
    return text;
  }
}
