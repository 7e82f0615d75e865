import type { Json } from '../engine/json.js';
import type { AgentflowExport, ExportedNode } from './agentflow-export.js';
import { wordOf } from './texts/imported-texts.js';

/** Kinds whose answers become messages of the run, with the input that names the role of the message. */
const ANSWERING = new Map([
  ['llmAgentflow', 'llmReturnResponseAs'],
  ['agentAgentflow', 'agentReturnResponseAs'],
  ['executeFlowAgentflow', 'executeFlowReturnResponseAs'],
]);

/** The most answers that become messages of one node; older ones count as possible. */
const MOST_ANSWERS = 50;

/** The answers of a run that a node in the other service finds in its memory. */
export interface EarlierAnswers {
  /** Those of the nodes that always run before it, one after another. */
  sure: readonly { id: string; role: 'user' | 'assistant' }[];
  /** Ids of other nodes that may have answered before: those of branches, and of earlier rounds of a loop. */
  possible: readonly string[];
}

/** Returns a function that finds the answers before a node. */
export function earlierAnswers({ nodes, edges }: AgentflowExport): (id: string) => EarlierAnswers {
  const byId = new Map(nodes.map((node) => [node.id, node.data]));
  const sources = new Map<string, Set<string>>();
  for (const { source, target } of edges) add(sources, target, source);
  const loops = new Map<string, Set<string>>();
  for (const { id, data } of nodes)
    if (data.name === 'loopAgentflow') add(loops, loopTarget(data.inputs ?? {}, [...byId.keys()]), id);
  const answers = (id: string): boolean => ANSWERING.has(byId.get(id)?.name ?? '');

  return (id) => {
    const chain = chainBefore(id, sources).filter(answers).slice(-MOST_ANSWERS);
    const before = new Set<string>();
    const open = [id];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const source of [...(sources.get(at) ?? []), ...(loops.get(at) ?? [])])
        if (!before.has(source)) {
          before.add(source);
          open.push(source);
        }
    return {
      sure: chain.map((earlier) => ({ id: earlier, role: roleOf(byId.get(earlier)!) })),
      possible: [...before].filter((earlier) => answers(earlier) && !chain.includes(earlier)),
    };
  };
}

/** Returns the nodes before one, first to last, from the last place at which branches join. */
function chainBefore(id: string, sources: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const chain = new Set<string>();
  for (let at = sources.get(id); at?.size === 1;) {
    const [source] = at;
    if (source === undefined || source === id || chain.has(source)) break;
    chain.add(source);
    at = sources.get(source);
  }
  return [...chain].reverse();
}

const roleOf = ({ name, inputs = {} }: ExportedNode['data']): 'user' | 'assistant' =>
  inputs[ANSWERING.get(name) ?? ''] === 'assistantMessage' ? 'assistant' : 'user';

/** Returns the node that a loop goes back to. It is named as `<id>-<label>`, and both may contain hyphens. */
export function loopTarget(inputs: Record<string, Json>, ids: readonly string[]): string {
  const named = wordOf(inputs['loopBackToNode']) ?? '';
  const fits = ids.filter((id) => named === id || named.startsWith(`${id}-`));
  return fits.sort((one, other) => other.length - one.length)[0] ?? named;
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, (map.get(key) ?? new Set<string>()).add(value));
}
