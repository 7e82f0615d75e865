import { type Edge, type Node, type NodeHandle, Position } from '@xyflow/react';
import { isTaken, type NodeState, type NodeStates } from '../../graph/picture.js';
import type { Box } from '../../graph/route.js';
import type { ChangeMark } from '../operations/changed-nodes.js';
import type { Point } from '../operations/definition.js';
import type { CanvasEdge, CanvasModel, CanvasNode, CanvasNote } from './canvas-model.js';
import { handleTop } from './placing.js';

export type NodeData = {
  node: CanvasNode;
  holdsOthers: boolean;
  /** Its faults, one a line; empty for none. */
  fault: string;
  warning: string;
  isRun: boolean;
  state: NodeState | undefined;
  /** Its difference from another version; undefined for none. */
  change: ChangeMark | undefined;
};

export type NoteData = { note: CanvasNote };
export type EdgeData = {
  edge: CanvasEdge;
  fault: string;
  look: 'plain' | 'taken' | 'idle';
  change: EdgeChange | undefined;
};

/** The difference of an edge from another version, also in words. */
export interface EdgeChange {
  mark: ChangeMark;
  words: string;
}

export type CanvasItem = Node<NodeData, 'node'> | Node<NoteData, 'note'>;
export type CanvasLine = Edge<EdgeData, 'edge'> | Edge<Record<string, never>, 'back'>;

/** The faults and warnings of a definition, by the place in its lists. */
export interface Marks {
  nodeFaults: ReadonlyMap<number, string>;
  nodeWarnings: ReadonlyMap<number, string>;
  edgeFaults: ReadonlyMap<number, string>;
}

export interface Shown {
  model: CanvasModel;
  boxes: ReadonlyMap<string, Box>;
  marks: Marks;
  states: NodeStates | undefined;
  /** Ids of selected nodes, notes and edges. */
  selection: ReadonlySet<string>;
  /** The differences from another version: of nodes by id, of edges by their place in the list. */
  changes?: { nodes: ReadonlyMap<string, ChangeMark>; edges: ReadonlyMap<number, EdgeChange> };
  /** The places of nodes and notes that are being dragged. */
  dragged: ReadonlyMap<string, Point>;
}

export const noteId = ({ index }: { index: number }): string => `note:${index}`;
export const edgeId = ({ index }: { index: number }): string => `edge:${index}`;

/** Returns the index in the id of a note or an edge; undefined for a node. */
export function indexIn(id: string): number | undefined {
  const [, index] = id.split(':');
  return index === undefined ? undefined : Number(index);
}

/** Builds the items of the canvas. An item that looks as before stays the same object, so that it is not drawn again. */
export function itemsOf(shown: Shown, before: readonly CanvasItem[]): CanvasItem[] {
  const known = new Map(before.map((item) => [item.id, item]));
  const parents = new Set(shown.model.nodes.map(({ parentNode }) => parentNode));
  return [
    ...shown.model.nodes.map((node) => nodeItem(node, parents.has(node.id), shown, known.get(node.id))),
    ...shown.model.notes.map((note) => noteItem(note, shown, known.get(noteId(note)))),
  ];
}

function nodeItem(
  node: CanvasNode,
  holdsOthers: boolean,
  { boxes, marks, states, selection, dragged, changes }: Shown,
  before: CanvasItem | undefined,
): CanvasItem {
  const { x, y, width, height } = boxes.get(node.id)!;
  const position = dragged.get(node.id) ?? { x, y };
  const data: NodeData = {
    node,
    holdsOthers: holdsOthers || node.kind === 'iteration',
    fault: marks.nodeFaults.get(node.index) ?? '',
    warning: marks.nodeWarnings.get(node.index) ?? '',
    isRun: states !== undefined,
    state: states?.get(node.id),
    change: changes?.nodes.get(node.id),
  };
  const isSelected = selection.has(node.id);
  if (
    before?.type === 'node' &&
    before.selected === isSelected &&
    isAt(before, position) &&
    before.width === width &&
    before.height === height &&
    sameData(before.data, data)
  )
    return before;
  return {
    id: node.id,
    type: 'node',
    position,
    width,
    height,
    measured: { width, height },
    handles: handlesOf(node, width),
    selected: isSelected,
    ...(node.parentNode === undefined ? {} : { parentId: node.parentNode }),
    ariaLabel: [node.label, node.kind, data.change, data.fault && `Fault: ${data.fault}`]
      .filter(Boolean)
      .join(', '),
    data: before?.type === 'node' && sameData(before.data, data) ? before.data : data,
  };
}

/** The diameter of a handle, as in canvas.css. */
const HANDLE = 12;

/** Returns the places of the handles, so that React Flow draws an edge without measuring the nodes at its ends. */
function handlesOf({ branches }: CanvasNode, width: number): NodeHandle[] {
  const size = { width: HANDLE, height: HANDLE };
  const source = (id: string | null, top: number): NodeHandle => ({
    ...{ id, type: 'source', position: Position.Right, x: width - HANDLE / 2, y: top - HANDLE / 2, ...size },
  });
  return [
    {
      id: null,
      type: 'target',
      position: Position.Left,
      x: -HANDLE / 2,
      y: handleTop() - HANDLE / 2,
      ...size,
    },
    ...(branches.length === 0
      ? [source(null, handleTop())]
      : branches.map((branch, index) => source(branch, handleTop(index)))),
  ];
}

export const NOTE = { width: 220, height: 96 };

function noteItem(
  note: CanvasNote,
  { selection, dragged }: Shown,
  before: CanvasItem | undefined,
): CanvasItem {
  const id = noteId(note);
  const position = dragged.get(id) ?? note.position;
  const isSelected = selection.has(id);
  const isSame = before?.type === 'note' && before.data.note.text === note.text;
  if (isSame && before.selected === isSelected && isAt(before, position)) return before;
  return {
    id,
    type: 'note',
    position,
    ...NOTE,
    measured: NOTE,
    selected: isSelected,
    ariaLabel: `Note: ${note.text.slice(0, 80)}`,
    data: { note },
  };
}

const isAt = ({ position: { x, y } }: CanvasItem, at: Point): boolean => x === at.x && y === at.y;

const sameData = (one: NodeData, other: NodeData): boolean =>
  one.holdsOthers === other.holdsOthers &&
  one.fault === other.fault &&
  one.warning === other.warning &&
  one.isRun === other.isRun &&
  one.state === other.state &&
  one.change === other.change &&
  (one.node === other.node || JSON.stringify(one.node) === JSON.stringify(other.node));

/** Builds the lines of the canvas: the edges, and where loops go back to. */
export function linesOf(
  { model, marks, states, selection, changes }: Omit<Shown, 'boxes' | 'dragged'>,
  before: readonly CanvasLine[],
): CanvasLine[] {
  const known = new Map(before.map((line) => [line.id, line]));
  const inside = new Set(model.nodes.filter(({ parentNode }) => parentNode).map(({ id }) => id));
  const edges = model.edges.map((edge): CanvasLine => {
    const { from, to, on } = edge;
    const isPassed = states && isTaken({ from, to, ...(on === undefined ? {} : { on }) }, states);
    const next: CanvasLine = {
      id: edgeId(edge),
      type: 'edge',
      source: from,
      target: to,
      ...(on === undefined ? {} : { sourceHandle: on }),
      selected: selection.has(edgeId(edge)),
      zIndex: inside.has(from) ? 2 : 0,
      ariaLabel: `Edge from ${from} to ${to}${on === undefined ? '' : `, branch ${on}`}`,
      data: {
        edge,
        fault: marks.edgeFaults.get(edge.index) ?? '',
        look: isPassed === undefined ? 'plain' : isPassed ? 'taken' : 'idle',
        change: changes?.edges.get(edge.index),
      },
    };
    const last = known.get(next.id);
    return last && JSON.stringify(last) === JSON.stringify(next) ? last : next;
  });
  const backs = model.backs.map(({ from, to }): CanvasLine => {
    const id = `back:${from}`;
    const last = known.get(id);
    if (last?.target === to) return last;
    return {
      ...{ id, type: 'back', source: from, target: to, selectable: false, focusable: false },
      ...{ deletable: false, ariaLabel: `The loop ${from} goes back to ${to}` },
    };
  });
  return [...edges, ...backs];
}
