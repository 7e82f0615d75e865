import type { Edge, Node } from '@xyflow/react';
import type { GraphEdgeData } from './graph-edge.js';
import type { GraphNodeData } from './graph-node.js';
import type { FlowGraphProps } from './graph-props.js';
import type { Layout } from './layout.js';
import { isTaken, type NodeStates, type Picture } from './picture.js';
import type { Direction } from './route.js';

/** Returns the nodes for React Flow, with fixed sizes. */
export function nodesOf(
  picture: Picture,
  boxes: Layout['boxes'],
  { nodeStates, selected, onSelect }: Pick<FlowGraphProps, 'nodeStates' | 'selected' | 'onSelect'>,
): Node<GraphNodeData>[] {
  const parents = new Set(picture.nodes.map(({ parentNode }) => parentNode));
  return outermostFirst(picture).map((node) => {
    const { x, y, width, height } = boxes.get(node.id)!;
    return {
      id: node.id,
      type: 'flow',
      position: { x, y },
      width,
      height,
      measured: { width, height },
      ...(node.parentNode === undefined ? {} : { parentId: node.parentNode }),
      data: {
        node,
        holdsOthers: parents.has(node.id),
        isRun: nodeStates !== undefined,
        state: nodeStates?.get(node.id),
        isSelected: node.id === selected,
        onSelect,
      },
    };
  });
}

/** Sorts parents before their children, as React Flow requires. */
function outermostFirst({ nodes }: Picture): Picture['nodes'] {
  const parentOf = new Map(nodes.map((node) => [node.id, node.parentNode]));
  const depthOf = (id: string): number => {
    const parent = parentOf.get(id);
    return parent === undefined ? 0 : depthOf(parent) + 1;
  };
  return [...nodes].sort((one, other) => depthOf(one.id) - depthOf(other.id));
}

export function edgesOf(
  { nodes, edges }: Picture,
  routes: Layout['routes'],
  direction: Direction,
  states: NodeStates | undefined,
): Edge<GraphEdgeData>[] {
  const inside = new Set(nodes.filter(({ parentNode }) => parentNode !== undefined).map(({ id }) => id));
  return edges.map((edge) => {
    const taken = states !== undefined && isTaken(edge, states);
    return {
      id: edge.id,
      type: 'routed',
      source: edge.from,
      target: edge.to,
      zIndex: (taken ? 1 : 0) + (inside.has(edge.from) ? 2 : 0),
      data: {
        route: routes.get(edge.id)!,
        direction,
        isBack: edge.isBack === true,
        look: states === undefined ? 'plain' : taken ? 'taken' : 'idle',
        ...(edge.on === undefined ? {} : { label: edge.on }),
      },
    };
  });
}
