import { Background, MiniMap, ReactFlow, ReactFlowProvider, useReactFlow, useStoreApi } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useCallback, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import '../../graph/flow-graph.css';
import type { NodeStates } from '../../graph/picture.js';
import { CanvasActionsContext } from './canvas-actions.js';
import { BackEdgeView, CanvasEdgeView } from './canvas-edge.js';
import { type CanvasItem, type CanvasLine, itemsOf, linesOf } from './canvas-elements.js';
import { canvasOf } from './canvas-model.js';
import { CanvasNodeView } from './canvas-node.js';
import { CanvasNoteView } from './canvas-note.js';
import type { FlowCanvasProps, OpenTool } from './canvas-props.js';
import { CanvasTools } from './canvas-tools.js';
import './canvas.css';
import { marksOf } from './marks.js';
import { placed } from './placing.js';
import { useCanvasEvents } from './use-canvas-events.js';
import { useCommands } from './use-commands.js';
import { useShortcuts } from './use-shortcuts.js';

const nodeTypes = { node: CanvasNodeView, note: CanvasNoteView };
const edgeTypes = { edge: CanvasEdgeView, back: BackEdgeView };

/** Without a mouse, nothing is dragged: a finger scrolls and zooms. */
const fine = globalThis.matchMedia?.('(any-pointer: fine)');

/** The canvas, which edits the definition by operations. */
export default function FlowCanvas(props: FlowCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas(props: FlowCanvasProps) {
  const { definition, document, faults, warnings, states, schema, operate, onSelect, isStale } = props;
  const hasPointer = fine?.matches ?? true;
  const isEditable = hasPointer && !isStale;
  const flow = useReactFlow<CanvasItem, CanvasLine>();
  const [isFitted] = useState(props.revealed === undefined);
  const [tool, setTool] = useState<OpenTool>();
  const selection = useMemo(() => new Set(props.selection), [props.selection]);
  const model = useMemo(() => canvasOf(definition), [definition]);
  const boxes = useMemo(() => placed(model), [model]);
  const marks = useMemo(() => marksOf(faults, warnings), [faults, warnings]);
  const commands = useCommands({ definition, model, boxes, selection, select: onSelect, schema, operate });
  const { events, dragged } = useCanvasEvents({ selection, onSelect, isEditable, commands, setTool });
  const before = useRef<{ items: CanvasItem[]; lines: CanvasLine[] }>({ items: [], lines: [] });
  const items = useMemo(
    () =>
      (before.current.items = itemsOf(
        { model, boxes, marks, states, selection, dragged },
        before.current.items,
      )),
    [model, boxes, marks, states, selection, dragged],
  );
  const lines = useMemo(
    () => (before.current.lines = linesOf({ model, marks, states, selection }, before.current.lines)),
    [model, marks, states, selection],
  );
  const shortcuts = useShortcuts({ ...props, isEditable, commands, items, setTool });

  const actions = useMemo(
    () => ({
      isEditable,
      removeEdge: (index: number) => commands.remove([`edge:${index}`]),
      writeNote: commands.writeNote,
    }),
    [isEditable, commands],
  );
  const select = useRef(onSelect);
  useLayoutEffect(() => void (select.current = onSelect), [onSelect]);
  const show = useCallback(
    (id: string) => {
      select.current([id]);
      reveal(flow, id);
    },
    [flow],
  );
  useReveal(props.revealed);
  useFollowed(states);
  const frame = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  // The map costs as much as the nodes: it follows them.
  const hasMap = useDeferredValue(model.nodes.length > 12, false);
  // An item or a pane that had the focus may be gone. The next key is for the canvas all the same.
  useEffect(() => {
    const { current } = frame;
    if (!current) return undefined;
    const observer = new MutationObserver(() => {
      const { activeElement, body } = current.ownerDocument;
      if (hasFocus.current && activeElement === body) current.focus({ preventScroll: true });
    });
    observer.observe(current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);

  return (
    <CanvasActionsContext value={actions}>
      <div
        className="graph canvas"
        role="group"
        aria-label={props.label}
        tabIndex={-1}
        ref={frame}
        onFocus={() => (hasFocus.current = true)}
        onBlur={({ relatedTarget }) => (hasFocus.current = relatedTarget === null)}
        {...shortcuts}
      >
        <ReactFlow<CanvasItem, CanvasLine>
          nodes={items}
          edges={lines}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          {...events}
          edgesReconnectable={isEditable}
          nodesDraggable={isEditable}
          nodesConnectable={isEditable}
          edgesFocusable={isEditable}
          deleteKeyCode={null}
          selectionKeyCode="Shift"
          onlyRenderVisibleElements={model.nodes.length > MANY}
          fitView={isFitted}
          fitViewOptions={FIT}
          minZoom={0.1}
          maxZoom={1.6}
          panOnScroll
          zoomOnDoubleClick={false}
          elevateNodesOnSelect={false}
          proOptions={PRO}
        >
          <Background gap={18} size={1.2} />
          {hasMap && <MiniMap pannable zoomable className="canvas-map" style={MAP} ariaLabel="Overview" />}
          <CanvasTools
            tool={tool}
            setTool={setTool}
            isEditable={isEditable}
            hasHistory={hasPointer}
            document={document}
            definition={definition}
            model={model}
            selection={selection}
            commands={commands}
            onShow={show}
          />
        </ReactFlow>
        {isStale && (
          <p className="canvas-stale" role="status">
            The text is not valid JSON. This is the flow as it was before; repair the text to edit it here.
          </p>
        )}
        {model.nodes.length === 0 && <p className="graph-none canvas-none">There are no nodes yet.</p>}
      </div>
    </CanvasActionsContext>
  );
}

/** In a larger flow, only what is in sight is rendered: each rendered node and edge costs time at each step of a drag. */
const MANY = 150;
/** React Flow draws the map in this size, whatever the style sheet says. */
const MAP = { width: 160, height: 100 };
const PRO = { hideAttribution: true };
const FIT = { padding: 0.1, maxZoom: 1 };

/** Scrolls to the node that a run reached last, if it is out of sight. */
function useFollowed(states: NodeStates | undefined): void {
  const flow = useReactFlow();
  const store = useStoreApi();
  const reached =
    states && [...states].sort(([, one], [, two]) => (one.order ?? 0) - (two.order ?? 0)).at(-1)?.[0];
  useEffect(() => {
    const node = reached === undefined ? undefined : flow.getInternalNode(reached);
    if (!node) return;
    const { width, height, transform } = store.getState();
    const { x, y } = node.internals.positionAbsolute;
    const [left, top] = [x * transform[2] + transform[0], y * transform[2] + transform[1]];
    if (left < 0 || top < 0 || left > width || top > height) reveal(flow, node.id);
  }, [flow, store, reached]);
}

function useReveal(revealed: { id: string } | undefined): void {
  const flow = useReactFlow();
  useEffect(() => {
    if (revealed) reveal(flow, revealed.id);
  }, [flow, revealed]);
}

/** Scrolls to an item, and keeps the zoom unless the item would be too small to read. */
function reveal(
  flow: Pick<ReturnType<typeof useReactFlow>, 'getInternalNode' | 'getZoom' | 'setCenter'>,
  id: string,
) {
  const node = flow.getInternalNode(id);
  if (!node) return;
  const { x, y } = node.internals.positionAbsolute;
  const { width = 0, height = 0 } = node.measured;
  void flow.setCenter(x + width / 2, y + height / 2, { zoom: Math.max(0.6, flow.getZoom()) });
}
