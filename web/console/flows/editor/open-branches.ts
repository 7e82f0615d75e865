import type { Fault } from '../../api/api-error.js';
import { openBranches } from '../operations/branches.js';
import { isMembers, type Members, nodesIn, textOf } from '../operations/definition.js';

/** Returns a warning for each condition of which a branch, such as a forgotten "else", leads nowhere. */
export const openBranchWarnings = (definition: Members): Fault[] =>
  nodesIn(definition).flatMap((node, index) => {
    const kind = textOf(node, 'kind');
    if (!isMembers(node) || (kind !== 'condition' && kind !== 'condition-agent')) return [];
    const open = openBranches(definition, node).map((branch) => `"${branch}"`);
    if (open.length === 0) return [];
    const [branches, them] = open.length === 1 ? ['branch', 'it'] : ['branches', 'one of them'];
    return [
      {
        path: `nodes.${index}`,
        message: `no edge leaves its ${branches} ${open.join(', ')}: a run that takes ${them} ends here.`,
      },
    ];
  });
