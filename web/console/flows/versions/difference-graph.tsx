import {
  Background,
  type NodeChange,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useEffect, useMemo } from 'react';
import '../../graph/flow-graph.css';
import { ViewButtons } from '../../graph/view-buttons.js';
import { BackEdgeView, CanvasEdgeView } from '../canvas/canvas-edge.js';
import { type CanvasItem, type CanvasLine, itemsOf, linesOf, type Marks } from '../canvas/canvas-elements.js';
import { CanvasNodeView } from '../canvas/canvas-node.js';
import { CanvasNoteView } from '../canvas/canvas-note.js';
import '../canvas/canvas.css';
import { ChangeSign } from '../canvas/change-sign.js';
import { placed } from '../canvas/placing.js';
import type { ChangeMark } from '../operations/changed-nodes.js';
import type { Members } from '../operations/definition.js';
import { graphDifference } from './graph-difference.js';

const nodeTypes = { node: CanvasNodeView, note: CanvasNoteView };
const edgeTypes = { edge: CanvasEdgeView, back: BackEdgeView };
const noMarks: Marks = { nodeFaults: new Map(), nodeWarnings: new Map(), edgeFaults: new Map() };

const ALL = { padding: 0.1, maxZoom: 1 };
/** The least zoom at which labels are readable. */
const READABLE = 0.5;

interface DifferenceProps {
  label: string;
  before: Members;
  after: Members;
  selected: string | undefined;
  onSelect: (nodeId: string) => void;
}

/** The graph of a version, read-only, with what it has changed in an earlier one. */
export default function DifferenceGraph(props: DifferenceProps) {
  return (
    <ReactFlowProvider>
      <Drawn {...props} />
    </ReactFlowProvider>
  );
}

function Drawn({ label, before, after, selected, onSelect }: DifferenceProps) {
  const flow = useReactFlow();
  const difference = useMemo(() => graphDifference(before, after), [before, after]);
  const { model } = difference;
  const boxes = useMemo(() => placed(model), [model]);
  const shown = {
    ...{ model, boxes, marks: noMarks, states: undefined, changes: difference },
    selection: new Set(selected === undefined ? [] : [selected]),
    dragged: new Map<string, never>(),
  };
  const items = itemsOf(shown, []);
  const lines = linesOf(shown, []);
  const choose = (changes: readonly NodeChange<CanvasItem>[]) => {
    const chosen = changes.find((one) => one.type === 'select' && one.selected);
    if (chosen?.type === 'select' && boxes.has(chosen.id)) onSelect(chosen.id);
  };
  useEffect(() => {
    if (selected === undefined) return;
    void flow.fitView({ nodes: [{ id: selected }], minZoom: READABLE, maxZoom: 0.9 });
  }, [flow, selected]);
  /** Shows everything or, if that is too small to read, the first difference. */
  const begin = () => {
    void flow.fitView(ALL).then(() => {
      const [first] = difference.nodes.keys();
      if (flow.getZoom() < READABLE && first !== undefined)
        void flow.fitView({ nodes: [{ id: first }], minZoom: READABLE, maxZoom: 0.8 });
    });
  };
  return (
    <div className="graph canvas" role="group" aria-label={label}>
      <ReactFlow<CanvasItem, CanvasLine>
        nodes={items}
        edges={lines}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onInit={begin}
        onNodesChange={choose}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        minZoom={0.1}
        maxZoom={1.6}
        zoomOnScroll={false}
        preventScrolling={false}
        zoomOnDoubleClick={false}
        elevateNodesOnSelect={false}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={18} size={1.2} />
        <Panel position="bottom-right">
          <ViewButtons onFit={() => void flow.fitView(ALL)} />
        </Panel>
        {(difference.nodes.size > 0 || difference.edges.size > 0) && (
          <Panel position="top-left">
            <Legend />
          </Panel>
        )}
      </ReactFlow>
      {model.nodes.length === 0 && <p className="graph-none canvas-none">There are no nodes.</p>}
    </div>
  );
}

const MARKS: readonly ChangeMark[] = ['added', 'changed', 'removed'];

const Legend = () => (
  <ul className="version-legend" aria-label="Legend">
    {MARKS.map((mark) => (
      <li key={mark} className={`graph-node canvas-${mark}`}>
        <ChangeSign mark={mark} />
      </li>
    ))}
  </ul>
);
