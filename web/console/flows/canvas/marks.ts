import type { Fault } from '../../api/api-error.js';
import type { Marks } from './canvas-elements.js';

/** Sorts faults and warnings by the nodes and edges that they are about. */
export function marksOf(faults: readonly Fault[], warnings: readonly Fault[]): Marks {
  return {
    nodeFaults: byIndex(faults, 'nodes'),
    nodeWarnings: byIndex(warnings, 'nodes'),
    edgeFaults: byIndex(faults, 'edges'),
  };
}

function byIndex(faults: readonly Fault[], list: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const { path, message } of faults) {
    const [first, index, ...rest] = path.split('.');
    if (first !== list || index === undefined) continue;
    const sentence = rest.length === 0 ? message : `${rest.join('.')} ${message}`;
    const known = found.get(Number(index));
    found.set(Number(index), known === undefined ? sentence : `${known}\n${sentence}`);
  }
  return found;
}
