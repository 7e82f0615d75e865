import { type ReactNode, useEffect, useId, useState, useSyncExternalStore } from 'react';
import { META_MEMBERS } from '../../../src/inspection/report/meta-members.js';
import { Sheet } from '../sheet/sheet.js';
import { texts } from '../texts.js';
import { FIELD_LABELS, type FieldName, TEXT_FIELDS } from './details-fields.js';
import { failureInWords, InspectionService } from './inspection-service.js';
import { inspectionTexts } from './inspection-texts.js';
import type { InspectionPlace, SheetProps } from './place.js';
import { type FieldState, RecordEditor } from './record-editor.js';

const LONGEST = 2_000;

/** Text fields with a fixed place in the sheet; the others follow them. */
const PLACED: ReadonlySet<string> = new Set(
  'address propertyNo postcode reportType assessor company tenant'.split(' '),
);
const OTHERS = TEXT_FIELDS.filter((name) => !PLACED.has(name));

/** The record of the inspection. Each field is saved when it loses the focus. */
export function DetailsSheet({ place, onClose }: SheetProps) {
  const [editor] = useState(() => editorOf(place));
  const { known, failure, fields } = useSyncExternalStore(editor.subscribe, editor.snapshot);
  useEffect(() => void editor.open(), [editor]);
  const field = (name: FieldName) => ({ name, editor, state: fields[name]! });
  return (
    <Sheet title={texts.details} onClose={onClose}>
      <div className="details" aria-busy={!known && failure === undefined}>
        <p className="sheet-note">{inspectionTexts.detailsNote}</p>
        {failure !== undefined && <Failure sentence={failure} onAgain={() => void editor.open()} />}
        <TextField {...field('address')} long />
        <div className="details-pair">
          <TextField {...field('propertyNo')} />
          <TextField {...field('postcode')} />
        </div>
        <TypeField {...field('reportType')} />
        <TextField {...field('assessor')} />
        <TextField {...field('company')} />
        <TextField {...field('tenant')} />
        {OTHERS.map((name) => (
          <TextField key={name} {...field(name)} />
        ))}
        <GuidedField {...field('guided')} />
        <fieldset className="details-keys">
          <legend>{META_MEMBERS.keyDetails.label}</legend>
          <TextField {...field('keyDetails.numberOfKeys')} />
          <div className="details-pair">
            <TextField {...field('keyDetails.takenFrom')} />
            <TextField {...field('keyDetails.handedTo')} />
          </div>
        </fieldset>
      </div>
    </Sheet>
  );
}

export function Failure({ sentence, onAgain }: { sentence: string; onAgain: () => void }) {
  return (
    <div className="sheet-failure" role="alert">
      <p>{sentence}</p>
      <button type="button" className="quiet-button" onClick={onAgain}>
        {texts.tryAgain}
      </button>
    </div>
  );
}

function editorOf(place: InspectionPlace): RecordEditor {
  const name = `details:${place.sessionId()}`;
  return new RecordEditor({
    service: new InspectionService(place),
    drafts: {
      read: () => place.storage.get(name) ?? {},
      write: (drafts) => place.storage.set(name, Object.keys(drafts).length === 0 ? undefined : drafts),
    },
    inWords: failureInWords,
  });
}

interface FieldProps {
  name: FieldName;
  editor: RecordEditor;
  state: FieldState;
}

function TextField({ name, editor, state, long = false }: FieldProps & { long?: boolean }) {
  const id = useId();
  // A focused field gets no blur event when the sheet is removed.
  useEffect(() => () => void editor.save(name), [editor, name]);
  const props = {
    id,
    value: state.text,
    maxLength: LONGEST,
    autoComplete: 'off',
    'aria-describedby': `${id}-state`,
    onChange: ({ target }: { target: { value: string } }) => editor.type(name, target.value),
    onBlur: () => void editor.save(name),
  };
  return (
    <div className="details-field">
      <label htmlFor={id}>{FIELD_LABELS[name]}</label>
      {long ? (
        <textarea rows={2} {...props} />
      ) : (
        <input enterKeyHint="done" {...props} onKeyDown={leaveOnEnter} />
      )}
      <Outcome id={`${id}-state`} name={name} editor={editor} state={state} />
    </div>
  );
}

function leaveOnEnter({ key, currentTarget }: { key: string; currentTarget: HTMLElement }) {
  if (key === 'Enter') currentTarget.blur();
}

function TypeField({ name, editor, state }: FieldProps) {
  const id = useId();
  const isKnown = ['checkin', 'checkout', 'interim'].includes(state.text);
  const choose = (value: string) => {
    editor.type(name, value);
    void editor.save(name);
  };
  const choice = (value: string, checked: boolean): ReactNode => (
    <label key={value} className="details-choice">
      <input
        type="radio"
        name={id}
        checked={checked}
        aria-describedby={`${id}-state`}
        onChange={() => choose(value)}
      />
      <span>{inspectionTexts.reportTypes[value]}</span>
    </label>
  );
  return (
    <fieldset className="details-field">
      <legend>{FIELD_LABELS[name]}</legend>
      <div className="details-choices">
        {['checkin', 'checkout', 'interim'].map((value) => choice(value, state.text === value))}
        {choice('', !isKnown)}
      </div>
      <Outcome id={`${id}-state`} name={name} editor={editor} state={state} />
    </fieldset>
  );
}

function GuidedField({ name, editor, state }: FieldProps) {
  const id = useId();
  const change = (isOn: boolean) => {
    editor.type(name, isOn ? 'true' : '');
    void editor.save(name);
  };
  return (
    <div className="details-field">
      <label className="details-switch">
        <input
          type="checkbox"
          checked={state.text === 'true'}
          aria-describedby={`${id}-state`}
          onChange={({ target }) => change(target.checked)}
        />
        <span>{FIELD_LABELS[name]}</span>
      </label>
      <Outcome id={`${id}-state`} name={name} editor={editor} state={state} />
    </div>
  );
}

/** The outcome of saving a field: a reason and buttons if it was not saved. */
function Outcome({ id, name, editor, state: { at, why, meanwhile } }: FieldProps & { id: string }) {
  return (
    <div id={id} className={`details-outcome ${at}`} role="status">
      {at === 'saving' && <p>{inspectionTexts.detailSaving}</p>}
      {why !== undefined && <p>{at === 'failed' ? inspectionTexts.detailNotSaved(why) : why}</p>}
      {at === 'failed' && (
        <button type="button" className="quiet-button" onClick={() => void editor.save(name)}>
          {texts.tryAgain}
        </button>
      )}
      {at === 'differs' && (
        <>
          <p>{inspectionTexts.detailDiffers(inWordsOf(name, meanwhile ?? ''))}</p>
          <button type="button" className="quiet-button" onClick={() => editor.takeTheirs(name)}>
            {inspectionTexts.takeTheirs}
          </button>
          <button type="button" className="quiet-button" onClick={() => void editor.keepMine(name)}>
            {inspectionTexts.keepMine}
          </button>
        </>
      )}
    </div>
  );
}

function inWordsOf(name: FieldName, value: string): string {
  if (name === 'reportType') return inspectionTexts.reportTypes[value] ?? value;
  if (name === 'guided') return value === 'true' ? inspectionTexts.yes : inspectionTexts.no;
  return value === '' ? inspectionTexts.nothing : value;
}
