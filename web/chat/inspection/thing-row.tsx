import type { ThingView } from '../../../src/api/things.js';
import { DeleteIcon } from '../../common/icons.js';
import { AreaChoice } from '../recorded/area-choice.js';
import { areaTexts } from '../recorded/area-texts.js';
import { correctionTexts } from '../recorded/correction-texts.js';
import { SheetSection } from '../sheet/sheet-section.js';
import { CorrectableRow } from './correctable-row.js';
import { inspectionTexts } from './inspection-texts.js';
import { draftOf } from './thing-drafts.js';
import { ThingForm } from './thing-form.js';
import type { ChecklistEditor } from './use-checklist.js';

export const thingInWords = ({ kind, text = '' }: ThingView): string =>
  `${inspectionTexts.kinds[kind]} ${text}`;

interface ThingRowProps {
  thing: ThingView;
  editor: ChecklistEditor;
}

/** A recorded thing. Its button opens its corrections, unless a report has it. */
export function ThingRow({ thing, editor }: ThingRowProps) {
  const { id, kind, text, claimed } = thing;
  const isOpen = editor.opened === id;
  const words = (
    <span className="checklist-words">
      <span>{inspectionTexts.kinds[kind]}</span> <span>{text}</span>
    </span>
  );
  const draft = draftOf(editor.place, id);
  if (claimed)
    return (
      <li className="checklist-claimed" data-row={id} tabIndex={-1}>
        {words}
        <span className="checklist-note">{inspectionTexts.inReport}</span>
        {draft && (
          <span className="checklist-note">{inspectionTexts.notSaved(Object.values(draft).join(', '))}</span>
        )}
      </li>
    );
  return (
    <CorrectableRow
      row={id}
      editor={editor}
      words={words}
      note={!isOpen && draft && <span className="checklist-note">{inspectionTexts.unsaved}</span>}
      opens={inspectionTexts.opensCorrection}
      label={inspectionTexts.kinds[kind]}
    >
      <Corrections thing={thing} editor={editor} />
    </CorrectableRow>
  );
}

function Corrections({ thing, editor }: ThingRowProps) {
  return (
    <>
      <ThingForm thing={thing} editor={editor} />
      <SheetSection title={correctionTexts.moveTitle}>
        <AreaChoice
          here={thing.area ?? ''}
          submit={areaTexts.move}
          onChoose={(to) => void editor.move(thing, to)}
        />
      </SheetSection>
      <button type="button" className="checklist-delete" onClick={() => void editor.remove(thing)}>
        <DeleteIcon />
        <span>
          <strong>{inspectionTexts.delete}</strong>
          <span>{inspectionTexts.deleteNote}</span>
        </span>
      </button>
    </>
  );
}
