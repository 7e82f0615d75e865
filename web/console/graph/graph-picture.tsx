import { Background, Panel, ReactFlow, ReactFlowProvider } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { edgesOf, nodesOf } from './elements.js';
import { RoutedEdge } from './graph-edge.js';
import { FlowNodeView } from './graph-node.js';
import type { FlowGraphProps } from './graph-props.js';
import { layOut } from './layout.js';
import type { Picture } from './picture.js';
import type { Direction } from './route.js';
import { useView } from './use-view.js';
import { ViewButtons } from './view-buttons.js';

const nodeTypes = { flow: FlowNodeView };
const edgeTypes = { routed: RoutedEdge };

/** A narrower picture is drawn from top to bottom. In pixels. */
const NARROW = 620;

type PictureProps = Omit<FlowGraphProps, 'definition' | 'label'> & { picture: Picture };

/** Draws the result of `layOut` with React Flow, read-only. */
export default function GraphPicture(props: PictureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [direction, setDirection] = useState<Direction>();
  useLayoutEffect(() => {
    const element = frame.current!;
    const observer = new ResizeObserver(() => setDirection(element.clientWidth < NARROW ? 'down' : 'right'));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div className="graph-frame" ref={frame}>
      {direction !== undefined && (
        <ReactFlowProvider>
          <Drawn {...props} direction={direction} />
        </ReactFlowProvider>
      )}
    </div>
  );
}

function Drawn({ direction, ...props }: PictureProps & { direction: Direction }) {
  const { picture, nodeStates, selected, onSelect } = props;
  const layout = useMemo(() => layOut(picture, direction), [picture, direction]);
  const nodes = useMemo(
    () => nodesOf(picture, layout.boxes, { nodeStates, selected, onSelect }),
    [picture, layout, nodeStates, selected, onSelect],
  );
  const edges = useMemo(
    () => edgesOf(picture, layout.routes, direction, nodeStates),
    [picture, layout, direction, nodeStates],
  );
  const view = useView(layout, selected, nodeStates);
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      className={view.isSet ? '' : 'graph-unset'}
      onInit={view.begin}
      minZoom={0.1}
      maxZoom={1.6}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      zoomOnScroll={false}
      preventScrolling={false}
      zoomOnDoubleClick={false}
      disableKeyboardA11y
      proOptions={{ hideAttribution: true }}
    >
      <Background gap={18} size={1.2} />
      <Panel position="bottom-right">
        <ViewButtons onFit={view.fit} />
      </Panel>
    </ReactFlow>
  );
}
