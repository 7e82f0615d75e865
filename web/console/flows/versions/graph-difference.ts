import type { EdgeChange } from '../canvas/canvas-elements.js';
import { type CanvasModel, canvasOf } from '../canvas/canvas-model.js';
import { freePlace, placed } from '../canvas/placing.js';
import { changedNodes, type ChangeMark } from '../operations/changed-nodes.js';
import { edgesIn, idOf, isMembers, type Members, nodesIn, textOf } from '../operations/definition.js';
import { withPosition } from '../operations/edit-nodes.js';

/** Two versions of a graph as one. */
export interface GraphDifference {
  /** The later graph, with the nodes and edges of the earlier one that it no longer has. */
  model: CanvasModel;
  nodes: ReadonlyMap<string, ChangeMark>;
  /** By their place in the list of the model. */
  edges: ReadonlyMap<number, EdgeChange>;
}

/** Draws two definitions as one: nodes stand where the later one has them, removed nodes where the earlier one had them. */
export function graphDifference(before: Members, after: Members): GraphDifference {
  const nodes = new Map(changedNodes(before, after).map(({ id, change }) => [id, change]));
  const removed = nodesIn(before).filter((node) => nodes.get(idOf(node)) === 'removed');
  const { list, changes } = edgesOfBoth(edgesIn(before), edgesIn(after));
  return {
    model: canvasOf({ ...after, nodes: nodesOfBoth(before, after, removed), edges: list }),
    nodes,
    edges: changes,
  };
}

/** Places the nodes of both. Where the later definition has no position, all are arranged together. */
function nodesOfBoth(before: Members, after: Members, removed: readonly unknown[]): unknown[] {
  const [oldBoxes, boxes] = [placed(canvasOf(before)), new Map(placed(canvasOf(after)))];
  const bodies = new Map<string, boolean>();
  for (const node of nodesIn(after)) {
    const body = textOf(node, 'parentNode');
    const hasPosition = isMembers(node) && isMembers(node['position']);
    bodies.set(body, hasPosition || bodies.get(body) === true);
  }
  const kept = nodesIn(after).map((node) => {
    const box = boxes.get(idOf(node));
    return isMembers(node) && box && bodies.get(textOf(node, 'parentNode')) === true
      ? withPosition(node, box)
      : node;
  });
  const bodyOf = new Map(nodesIn(after).map((node) => [idOf(node), textOf(node, 'parentNode')]));
  const ghosts = removed.map((node) => {
    const [body, box] = [textOf(node, 'parentNode'), oldBoxes.get(idOf(node))];
    if (!isMembers(node) || !box) return node;
    if (bodies.get(body) === false) {
      const { position: _, ...rest } = node;
      return rest;
    }
    const others = [...boxes].filter(([id]) => bodyOf.get(id) === body).map(([, other]) => other);
    const at = freePlace(box, box, others);
    boxes.set(idOf(node), { ...box, ...at });
    bodyOf.set(idOf(node), body);
    return withPosition(node, at);
  });
  return [...kept, ...ghosts];
}

/** Lists the edges of both. One whose branch alone differs has changed. */
function edgesOfBoth(
  before: readonly unknown[],
  after: readonly unknown[],
): { list: unknown[]; changes: Map<number, EdgeChange> } {
  const known = new Set(before.map(keyOf));
  const now = new Set(after.map(keyOf));
  const gone = before.filter((edge) => !now.has(keyOf(edge)));
  const changes = new Map<number, EdgeChange>();
  after.forEach((edge, index) => {
    if (known.has(keyOf(edge))) return;
    const was = gone.findIndex((old) => endsOf(old) === endsOf(edge));
    if (was < 0) changes.set(index, { mark: 'added', words: `added${branchOf(edge)}` });
    else {
      const [old] = gone.splice(was, 1);
      changes.set(index, { mark: 'changed', words: `branch ${nameOf(old)} → ${nameOf(edge)}` });
    }
  });
  gone.forEach((edge, index) =>
    changes.set(after.length + index, { mark: 'removed', words: `removed${branchOf(edge)}` }),
  );
  return { list: [...after, ...gone], changes };
}

const endsOf = (edge: unknown): string => JSON.stringify([textOf(edge, 'from'), textOf(edge, 'to')]);
const keyOf = (edge: unknown): string =>
  JSON.stringify([textOf(edge, 'from'), textOf(edge, 'to'), textOf(edge, 'on')]);
const nameOf = (edge: unknown): string => textOf(edge, 'on') || 'none';
const branchOf = (edge: unknown): string => (textOf(edge, 'on') === '' ? '' : `: ${textOf(edge, 'on')}`);
