import { declareBudget } from '../../common/budgets/budget.js';

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
