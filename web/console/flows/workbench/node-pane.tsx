import { useRef } from 'react';
import { latePart } from '../../parts/waiting/late-part.js';
import { Loading } from '../../parts/waiting/loading.js';
import { counted } from '../../parts/words.js';
import { idOf, nodeOf, nodesIn } from '../operations/definition.js';
import type { Editing } from './use-editing.js';
import type { TextReading } from './use-reading.js';
import type { Selection } from './use-selection.js';

const NodeForm = latePart(() => import('../form/node-form.js'), <Loading label="Loading the form" />);

/** The settings of the selected node. */
export function NodePane({
  editing,
  reading,
  selection,
  focused,
  isNarrow,
  onShowText,
}: {
  editing: Editing;
  reading: TextReading;
  selection: Selection;
  /** Counts how often the form was asked to take the focus. */
  focused: number;
  /** There is a picture instead of the canvas. */
  isNarrow: boolean;
  onShowText: (nodeId: string) => void;
}) {
  const { definition } = reading;
  const focusTaken = useRef(focused);
  const chosen = selection.ids.filter((id) => nodeOf(definition, id));
  const node = chosen.length === 1 ? nodeOf(definition, chosen[0]!) : undefined;
  if (reading.isStale)
    return <p className="work-hint">The text is not valid JSON. Repair it in the definition first.</p>;
  if (!node)
    return (
      <p className="work-hint">
        {chosen.length > 1
          ? `${counted(chosen.length, 'node')} are selected. Select one to edit its settings.`
          : `Select a node to edit its settings${isNarrow ? '' : ', or add one on the canvas'}. The flow has ${counted(nodesIn(definition).length, 'node')}.`}
      </p>
    );
  return (
    <div className="work-form">
      <NodeForm
        key={nodesIn(definition).indexOf(node)}
        node={node}
        definition={definition}
        document={editing.document}
        knowledge={reading.knowledge}
        faults={reading.faults}
        operate={editing.operate}
        focused={focused}
        focusTaken={focusTaken}
        onRenamed={(id) => selection.select([id])}
        onShowText={() => onShowText(idOf(node))}
      />
    </div>
  );
}
