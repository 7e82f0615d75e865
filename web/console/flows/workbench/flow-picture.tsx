import { FlowGraph } from '../../graph/flow-graph.js';
import type { NodeStates } from '../../graph/picture.js';
import { readLoosely } from '../editor/loose-json.js';
import { nodesOf } from '../editor/named-values.js';
import { placeOf } from '../editor/places.js';
import type { Editing } from './use-editing.js';
import type { TextReading } from './use-reading.js';

/** Returns the position of a node in the text of a definition. */
export function placeOfNode(text: string, nodeId: string): number | undefined {
  const root = readLoosely(text);
  const index = nodesOf(root).find(({ id }) => id === nodeId)?.index;
  return index === undefined ? undefined : placeOf(root, `nodes.${index}`).from;
}

/** Draws the text's flow. A node links to its place in the text. */
export function FlowPicture({
  name,
  editing,
  reading,
  states,
  onJump,
}: {
  name: string;
  editing: Editing;
  reading: TextReading;
  states: NodeStates | undefined;
  /** The text is about to be shown. */
  onJump: () => void;
}) {
  const jump = (nodeId: string) => {
    const place = placeOfNode(editing.text, nodeId);
    if (place === undefined) return;
    onJump();
    // After the editor has been rendered.
    setTimeout(() => editing.editor.current?.jumpTo(place));
  };
  return (
    <div className="work-picture">
      <FlowGraph
        definition={reading.drawing}
        nodeStates={states && states.size > 0 ? states : undefined}
        onSelect={jump}
        selected={states && latestOf(states)}
        label={`Picture of ${name}`}
      />
    </div>
  );
}

/** Returns the node that a run reached last. */
const latestOf = (states: NodeStates): string | undefined =>
  [...states].sort(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0)).at(-1)?.[0];
