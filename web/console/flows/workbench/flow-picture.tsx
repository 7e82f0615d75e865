import { FlowGraph } from '../../graph/flow-graph.js';
import type { NodeStates } from '../../graph/picture.js';
import { readLoosely } from '../editor/loose-json.js';
import { nodesOf } from '../editor/named-values.js';
import { placeOf } from '../editor/places.js';
import type { TextReading } from './use-reading.js';

/** Returns the position of a node in the text of a definition. */
export function placeOfNode(text: string, nodeId: string): number | undefined {
  const root = readLoosely(text);
  const index = nodesOf(root).find(({ id }) => id === nodeId)?.index;
  return index === undefined ? undefined : placeOf(root, `nodes.${index}`).from;
}

/** Draws the flow on a narrow screen, to look at. A node opens its form. */
export function FlowPicture({
  name,
  reading,
  states,
  selected,
  onSelect,
}: {
  name: string;
  reading: TextReading;
  states: NodeStates | undefined;
  selected: string | undefined;
  onSelect: (nodeId: string) => void;
}) {
  return (
    <div className="work-picture">
      {reading.isStale && (
        <p className="work-stale" role="status">
          The text is not valid JSON. This is the flow as it was before.
        </p>
      )}
      <FlowGraph
        definition={reading.drawing}
        nodeStates={states && states.size > 0 ? states : undefined}
        onSelect={onSelect}
        selected={states && states.size > 0 ? latestOf(states) : selected}
        label={`Picture of ${name}`}
      />
    </div>
  );
}

/** Returns the node that a run reached last. */
const latestOf = (states: NodeStates): string | undefined =>
  [...states].sort(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0)).at(-1)?.[0];
