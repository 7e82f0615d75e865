import { useMemo } from 'react';
import { latePart } from '../parts/waiting/late-part.js';
import { Loading } from '../parts/waiting/loading.js';
import type { FlowGraphProps } from './graph-props.js';
import { pictureOf } from './picture.js';
import './flow-graph.css';

const GraphPicture = latePart(
  () => import('./graph-picture.js'),
  <Loading label="Drawing the flow" lines={3} />,
);

/** The picture of a flow. It fills its parent, which must have a height. Its script is loaded on first use. */
export function FlowGraph({ definition, label = 'Picture of the flow', ...rest }: FlowGraphProps) {
  const { nodes, edges } = definition;
  const picture = useMemo(() => pictureOf({ nodes, edges: edges ?? [] }), [nodes, edges]);
  return (
    <div className="graph" role="group" aria-label={label}>
      {picture.nodes.length === 0 ? (
        <p className="graph-none">There are no nodes yet.</p>
      ) : (
        <GraphPicture picture={picture} {...rest} />
      )}
    </div>
  );
}
