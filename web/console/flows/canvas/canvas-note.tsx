import type { Node, NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { useCanvasActions } from './canvas-actions.js';
import type { NoteData } from './canvas-elements.js';

/** A note beside the nodes. Its text is edited in place. */
export const CanvasNoteView = memo(function CanvasNoteView({
  data: { note },
  selected,
}: NodeProps<Node<NoteData, 'note'>>) {
  const { writeNote, isEditable } = useCanvasActions();
  return (
    <div className={`canvas-note${selected ? ' canvas-selected' : ''}`}>
      <textarea
        className="nodrag nowheel"
        aria-label="Note"
        value={note.text}
        readOnly={!isEditable}
        onChange={({ target }) => writeNote(note.index, target.value)}
      />
    </div>
  );
});
