import { type ReactNode, useId } from 'react';
import { MoreIcon } from '../../common/icons.js';
import { inspectionTexts } from './inspection-texts.js';
import type { ChecklistEditor } from './use-checklist.js';

interface CorrectableRowProps {
  /** The row's key in the editor. */
  row: string;
  editor: ChecklistEditor;
  words: ReactNode;
  note?: ReactNode;
  /** Says to screen readers what the row opens. */
  opens: string;
  /** Names what the group of corrections corrects. */
  label: string;
  /** The corrections, mounted while the row is open. */
  children: ReactNode;
}

/** A row of the checklist that opens its corrections. */
export function CorrectableRow({ row, editor, words, note, opens, label, children }: CorrectableRowProps) {
  const panel = useId();
  const isOpen = editor.opened === row;
  return (
    <li>
      <button
        type="button"
        className="checklist-thing"
        data-row={row}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        onClick={() => editor.open(isOpen ? undefined : row)}
      >
        {words}
        {note}
        <span className="hidden">{opens}</span>
        <MoreIcon />
      </button>
      {isOpen && (
        <div
          id={panel}
          className="correction checklist-panel"
          role="group"
          aria-label={inspectionTexts.correctThing(label)}
        >
          {children}
        </div>
      )}
    </li>
  );
}
