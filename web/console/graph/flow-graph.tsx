import { lazy, Suspense, useMemo } from 'react';
import { Loading } from '../parts/loading.js';
import type { FlowGraphProps } from './graph-props.js';
import { pictureOf } from './picture.js';
import './flow-graph.css';

const GraphPicture = lazy(() => import('./graph-picture.js'));

/**
 * The picture of a flow. It fills its parent, which must have a height. What draws it is loaded when it is first shown.
 */
export function FlowGraph({ definition, label = 'Picture of the flow', ...rest }: FlowGraphProps) {
  const { nodes, edges } = definition;
  const picture = useMemo(() => pictureOf({ nodes, edges: edges ?? [] }), [nodes, edges]);
  return (
    <div className="graph" role="group" aria-label={label}>
      <Suspense fallback={<Loading label="Drawing the flow" lines={3} />}>
        {picture.nodes.length === 0 ? (
          <p className="graph-none">There are no nodes yet.</p>
        ) : (
          <GraphPicture picture={picture} {...rest} />
        )}
      </Suspense>
    </div>
  );
}
