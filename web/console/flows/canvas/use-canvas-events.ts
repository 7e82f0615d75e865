import { type NodeChange, type ReactFlowProps, useReactFlow } from '@xyflow/react';
import { type Dispatch, type SetStateAction, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Point } from '../operations/definition.js';
import { type CanvasItem, type CanvasLine, indexIn } from './canvas-elements.js';
import type { OpenTool } from './canvas-props.js';
import { DRAGGED_KIND } from './palette.js';
import type { Commands } from './use-commands.js';

type Events = Pick<
  ReactFlowProps<CanvasItem, CanvasLine>,
  | 'onNodesChange'
  | 'onEdgesChange'
  | 'onConnect'
  | 'onConnectEnd'
  | 'onReconnect'
  | 'onDrop'
  | 'onDragOver'
  | 'onPaneClick'
>;

interface Input {
  selection: ReadonlySet<string>;
  onSelect: (ids: readonly string[]) => void;
  isEditable: boolean;
  commands: Commands;
  setTool: Dispatch<SetStateAction<OpenTool | undefined>>;
}

const nowhere: ReadonlyMap<string, Point> = new Map();

/**
 * Returns the listeners of React Flow, and the places of what is being dragged. The listeners are the same at each render:
 * React Flow renders all edges again when one of them changes.
 */
export function useCanvasEvents(input: Input): { events: Events; dragged: ReadonlyMap<string, Point> } {
  const flow = useReactFlow<CanvasItem, CanvasLine>();
  const [dragged, setDragged] = useState(nowhere);
  const current = useRef(input);
  const chosen = useRef(input.selection);
  const places = useRef(nowhere);
  useLayoutEffect(() => void (current.current = input));
  useLayoutEffect(() => void (chosen.current = input.selection), [input.selection]);
  const events = useMemo((): Events => {
    const place = (next: ReadonlyMap<string, Point>) => setDragged((places.current = next));
    const change = (changes: readonly NodeChange<CanvasItem>[]) => {
      const moves = new Map<string, Point>();
      let isDragging = false;
      for (const one of changes)
        if (one.type === 'position' && one.position) {
          moves.set(one.id, one.position);
          isDragging ||= one.dragging === true;
        }
      if (moves.size > 0 && isDragging) place(new Map([...places.current, ...moves]));
      else if (moves.size > 0) {
        const isDrop = places.current.size > 0;
        place(nowhere);
        const how = isDrop ? { drop: true } : { group: `nudge:${[...moves.keys()].join()}` };
        current.current.commands.move(moves, how);
      }
      choose(changes);
    };
    const choose = (changes: readonly { type: string; id?: string; selected?: boolean }[]) => {
      // React Flow reports the changes of nodes and edges one after another.
      const next = new Set(chosen.current);
      for (const { type, id, selected } of changes) {
        if (type !== 'select' || id === undefined) continue;
        if (selected) next.add(id);
        else next.delete(id);
      }
      const isSame = next.size === chosen.current.size && [...next].every((id) => chosen.current.has(id));
      chosen.current = next;
      if (!isSame) current.current.onSelect([...next]);
    };
    return {
      onNodesChange: change,
      onEdgesChange: choose,
      onConnect: ({ source, target, sourceHandle }) =>
        current.current.commands.connect({ from: source, to: target, on: sourceHandle ?? undefined }),
      onConnectEnd: (event, { fromHandle, fromNode, isValid, toNode }) => {
        if (isValid || toNode || !fromNode || fromHandle?.type !== 'source') return;
        const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0]! : event;
        const from = { id: fromNode.id, on: fromHandle.id ?? undefined };
        const at = flow.screenToFlowPosition({ x: clientX, y: clientY });
        current.current.setTool({ name: 'add', from, at });
      },
      onReconnect: ({ id }, { source, target, sourceHandle }) => {
        const connection = { from: source, to: target, on: sourceHandle ?? undefined };
        current.current.commands.reconnect(indexIn(id)!, connection);
      },
      onDrop: (event) => {
        const kind = event.dataTransfer.getData(DRAGGED_KIND);
        if (kind === '' || !current.current.isEditable) return;
        event.preventDefault();
        const { x, y } = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
        current.current.commands.add(kind, { at: { x: x - 104, y: y - 28 } });
      },
      onDragOver: (event) => event.preventDefault(),
      onPaneClick: () => current.current.setTool(undefined),
    };
  }, [flow]);
  return { events, dragged };
}
