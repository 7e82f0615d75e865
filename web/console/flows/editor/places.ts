import { type LooseNode, memberOf } from './loose-json.js';

/** A range of the text. */
export interface Place {
  from: number;
  to: number;
}

/**
 * Returns the range of a path such as `nodes.0.config.message`: the value, or the name or opening bracket of an object or
 * list. For a missing path, returns the range of its nearest existing parent. Names may contain dots; the longest match
 * is used.
 */
export function placeOf(root: LooseNode | undefined, path: string): Place {
  let node = root;
  let name: Place | undefined;
  let rest = path;
  while (node && rest !== '') {
    const step: Step | undefined = stepInto(node, rest);
    if (!step) return name ?? opening(node);
    rest = step.rest;
    if (!step.node) return step.name!;
    name = step.name;
    node = step.node;
  }
  if (!node) return { from: 0, to: 0 };
  return node.type === 'scalar' ? { from: node.from, to: node.to } : (name ?? opening(node));
}

interface Step {
  rest: string;
  node: LooseNode | undefined;
  name: Place | undefined;
}

function stepInto(node: LooseNode, path: string): Step | undefined {
  if (node.type === 'scalar') return undefined;
  if (node.type === 'array') {
    const [index = '', ...rest] = path.split('.');
    const item = node.items[Number(index)];
    return item && { rest: rest.join('.'), node: item, name: undefined };
  }
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const member = memberOf(node, path.slice(0, end));
    if (!member) continue;
    return {
      rest: path.slice(end + 1),
      node: member.value,
      name: { from: member.keyFrom, to: member.keyTo },
    };
  }
  return undefined;
}

const opening = ({ from }: LooseNode): Place => ({ from, to: from + 1 });
