import {
  idOf,
  isMembers,
  type Members,
  nodeOf,
  nodesIn,
  type Point,
  positionOf,
  textOf,
  withItems,
  withMember,
  withoutMember,
} from './definition.js';
import { withInner, withPosition } from './edit-nodes.js';

/** Returns the iterations that a node can be put into: those outside of itself. */
export function framesFor(definition: Members, id: string): Members[] {
  const inner = withInner(definition, [id]);
  return nodesIn(definition).filter(
    (node): node is Members => isMembers(node) && node['kind'] === 'iteration' && !inner.has(idOf(node)),
  );
}

/** Puts a node into an iteration, or back into the flow itself. It stays where it is seen, if its place is stored. */
export function putInto(definition: Members, id: string, parent: string | undefined): Members {
  const node = nodeOf(definition, id);
  if (!node) return definition;
  const [from, to] = [originIn(definition, textOf(node, 'parentNode')), originIn(definition, parent ?? '')];
  const position = positionOf(node);
  const moved = withMember(node, 'parentNode', parent, 'config');
  const placed =
    position && from && to
      ? withPosition(moved, { x: position.x + from.x - to.x, y: position.y + from.y - to.y })
      : withoutMember(moved, 'position');
  return withItems(definition, 'nodes', (one) => (one === node ? placed : one));
}

/** Returns where a body begins: the sum of the stored places around it; undefined when one is missing. */
function originIn(definition: Members, parent: string): Point | undefined {
  const origin = { x: 0, y: 0 };
  const seen = new Set<string>();
  for (let at = parent; at !== '';) {
    const node = nodeOf(definition, at);
    const position = positionOf(node);
    if (!node || !position || seen.has(at)) return undefined;
    seen.add(at);
    origin.x += position.x;
    origin.y += position.y;
    at = textOf(node, 'parentNode');
  }
  return origin;
}
