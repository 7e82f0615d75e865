import {
  edgesIn,
  idOf,
  isMembers,
  type Members,
  nodeOf,
  nodesIn,
  type Point,
  positionOf,
  textOf,
  withMore,
  withoutMember,
} from './definition.js';
import { freshId, renamedEdge, renamedNode, withInner, withPosition } from './edit-nodes.js';

/** Copied nodes with the edges between them. */
export interface Clip {
  nodes: readonly Members[];
  edges: readonly Members[];
}

/** Copies nodes with everything inside them. The start is left out, since a flow has one. */
export function copyNodes(definition: Members, ids: Iterable<string>): Clip {
  const chosen = withInner(definition, ids);
  const nodes = nodesIn(definition).filter(
    (node): node is Members => isMembers(node) && chosen.has(idOf(node)) && node['kind'] !== 'start',
  );
  const copied = new Set(nodes.map(idOf));
  const edges = edgesIn(definition).filter(
    (edge): edge is Members =>
      isMembers(edge) && copied.has(textOf(edge, 'from')) && copied.has(textOf(edge, 'to')),
  );
  return { nodes, edges };
}

/** Reads a clip, or a whole definition, from the clipboard's text. */
export function clipIn(text: string): Clip | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isMembers(value)) return undefined;
    const ids = nodesIn(value)
      .map(idOf)
      .filter((id) => id !== '');
    return ids.length === 0 ? undefined : copyNodes(value, ids);
  } catch {
    return undefined;
  }
}

export const textOfClip = (clip: Clip): string => `${JSON.stringify(clip, null, 2)}\n`;

/**
 * Adds copied nodes with new ids, which replace the old ones in their edges, templates, loops and bodies. They lie around
 * a place; those of an iteration that is here, beside where they were copied.
 */
export function pasteNodes(
  definition: Members,
  clip: Clip,
  place: Point,
): { definition: Members; ids: string[] } {
  const ids = new Set(clip.nodes.map(idOf));
  const loose = clip.nodes.filter(
    (node) => !ids.has(textOf(node, 'parentNode')) && !hasBody(definition, node),
  );
  const places = loose.flatMap((node) => positionOf(node) ?? []);
  const x = place.x - middleOf(places.map((at) => at.x));
  const y = place.y - middleOf(places.map((at) => at.y));
  return addCopies(definition, clip, { x, y });
}

const middleOf = (numbers: readonly number[]): number => (Math.min(...numbers) + Math.max(...numbers)) / 2;

/** Returns whether the iteration around a node is part of the definition. */
const hasBody = (definition: Members, node: Members): boolean => {
  const parent = textOf(node, 'parentNode');
  return parent !== '' && nodeOf(definition, parent) !== undefined;
};

/** The offset of copies beside their originals. */
const BESIDE: Point = { x: 32, y: 32 };

/** Adds copies of nodes. Those of an iteration that is here lie beside the originals, others at the offset. */
function addCopies(
  definition: Members,
  { nodes, edges }: Clip,
  offset: Point,
): { definition: Members; ids: string[] } {
  const names = new Map<string, string>();
  for (const node of nodes)
    if (!names.has(idOf(node)))
      names.set(idOf(node), freshId(definition, idOf(node), new Set(names.values())));
  const copies = nodes.map((node) => {
    const copy = renamedNode(node, names) as Members;
    // It moves with its parent.
    if (names.has(textOf(node, 'parentNode'))) return copy;
    return hasBody(definition, node) ? moved(copy, BESIDE) : moved(withoutMember(copy, 'parentNode'), offset);
  });
  const withNodes = withMore(definition, 'nodes', copies);
  const added = withMore(
    withNodes,
    'edges',
    edges.map((edge) => renamedEdge(edge, names)),
  );
  return { definition: added, ids: [...names.values()] };
}

function moved(node: Members, by: Point): Members {
  const position = positionOf(node);
  return position ? withPosition(node, { x: position.x + by.x, y: position.y + by.y }) : node;
}

/** Copies nodes beside themselves. */
export const duplicateNodes = (
  definition: Members,
  ids: Iterable<string>,
): { definition: Members; ids: string[] } => addCopies(definition, copyNodes(definition, ids), BESIDE);
