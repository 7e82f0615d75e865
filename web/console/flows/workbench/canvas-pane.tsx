import type { NodeStates } from '../../graph/picture.js';
import { latePart } from '../../parts/waiting/late-part.js';
import { Loading } from '../../parts/waiting/loading.js';
import { loadCanvas } from '../prepare-flow.js';
import type { Editing } from './use-editing.js';
import type { TextReading } from './use-reading.js';
import type { Selection } from './use-selection.js';

const FlowCanvas = latePart(loadCanvas, <Loading label="Drawing the flow" lines={3} />);

/** The flow as a canvas, which edits the same document as the text. */
export function CanvasPane({
  name,
  editing,
  reading,
  states,
  selection,
  onEdit,
  onSave,
}: {
  name: string;
  editing: Editing;
  reading: TextReading;
  states: NodeStates | undefined;
  selection: Selection;
  onEdit: () => void;
  onSave: () => void;
}) {
  return (
    <div className="work-picture">
      <FlowCanvas
        label={`Canvas of ${name}`}
        definition={reading.definition}
        document={editing.document}
        isStale={reading.isStale}
        faults={reading.faults}
        warnings={reading.warnings}
        schema={reading.knowledge.schema}
        states={states && states.size > 0 ? states : undefined}
        operate={editing.operate}
        selection={selection.ids}
        onSelect={selection.select}
        revealed={selection.revealed}
        onEdit={onEdit}
        onSave={onSave}
      />
    </div>
  );
}
