import { type FormEvent, useId, useState } from 'react';
import type { ThingView } from '../../../src/api/things.js';
import { BackIcon, EditIcon } from '../../common/icons.js';
import type { AreaShown } from './checklist.js';
import { inspectionTexts } from './inspection-texts.js';
import { PhotographsRow } from './photographs-row.js';
import { PreviousItems } from './previous-items.js';
import { ThingRow, thingInWords } from './thing-row.js';
import type { ChecklistEditor } from './use-checklist.js';

const LONGEST_AREA = 200;

interface AreaSectionProps {
  area: AreaShown;
  editor: ChecklistEditor;
  onGo: (area: string) => void;
}

/** An area with everything recorded in it. */
export function AreaSection({ area: shown, editor, onGo }: AreaSectionProps) {
  const { area, isCurrent, photographs, things, deleted, previous } = shown;
  const [renames, setRenames] = useState(false);
  const isEmpty = photographs.length + things.length === 0;
  const notes = [
    isCurrent ? inspectionTexts.currentArea : '',
    isEmpty ? inspectionTexts.nothingYet : '',
  ].filter((note) => note !== '');
  return (
    <li>
      <div className="checklist-area">
        <button type="button" className="checklist-go" onClick={() => onGo(area)}>
          <strong>{area}</strong>
          {notes.length > 0 && <span>{notes.join(' · ')}</span>}
        </button>
        <button
          type="button"
          className="round"
          aria-label={inspectionTexts.renameArea(area)}
          title={inspectionTexts.renameArea(area)}
          aria-expanded={renames}
          onClick={() => setRenames(!renames)}
        >
          <EditIcon />
        </button>
      </div>
      {renames && <Rename area={area} onRename={editor.rename} onDone={() => setRenames(false)} />}
      {(!isEmpty || deleted.length > 0) && (
        <ul className="checklist-things">
          {photographs.length > 0 && <PhotographsRow area={shown} editor={editor} />}
          {things.map((thing) => (
            <ThingRow key={thing.id} thing={thing} editor={editor} />
          ))}
          {deleted.map((thing) => (
            <DeletedRow key={thing.id} thing={thing} onUndo={() => void editor.restore(thing)} />
          ))}
        </ul>
      )}
      {previous.length > 0 && <PreviousItems area={shown} onRecord={editor.recordAsBefore} />}
    </li>
  );
}

function DeletedRow({ thing, onUndo }: { thing: ThingView; onUndo: () => void }) {
  const words = thingInWords(thing);
  return (
    <li className="checklist-deleted">
      <span>{inspectionTexts.deletedThing(words)}</span>
      <button
        type="button"
        className="quiet-button"
        data-row={thing.id}
        aria-label={inspectionTexts.undoDeletion(words)}
        onClick={onUndo}
      >
        <BackIcon />
        {inspectionTexts.undo}
      </button>
    </li>
  );
}

interface RenameProps {
  area: string;
  onRename: (from: string, to: string) => Promise<boolean>;
  onDone: () => void;
}

function Rename({ area, onRename, onDone }: RenameProps) {
  const [name, setName] = useState(area);
  const id = useId();
  const wanted = name.trim();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (wanted !== '' && wanted !== area && (await onRename(area, wanted))) onDone();
  };
  return (
    <form className="checklist-rename" onSubmit={(event) => void submit(event)}>
      <label htmlFor={id} className="hidden">
        {inspectionTexts.newName(area)}
      </label>
      <input
        id={id}
        value={name}
        maxLength={LONGEST_AREA}
        autoComplete="off"
        autoFocus
        enterKeyHint="done"
        onChange={({ target }) => setName(target.value)}
      />
      <button type="submit" className="primary" disabled={wanted === '' || wanted === area}>
        {inspectionTexts.rename}
      </button>
    </form>
  );
}
