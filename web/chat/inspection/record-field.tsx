import { type ReactNode, useEffect, useId } from 'react';
import { type Furnishing, FURNISHINGS } from '../../../src/api/report-terms.js';
import { dateInput, META_FIELDS } from '../../common/meta-fields.js';
import { texts } from '../texts.js';
import type { FieldName } from './details-fields.js';
import { inspectionTexts } from './inspection-texts.js';
import type { FieldState, RecordEditor } from './record-editor.js';

const LONGEST = 2_000;

export interface FieldProps {
  name: FieldName;
  editor: RecordEditor;
  state: FieldState;
}

/** Saves a field when the sheet is removed: a focused one gets no blur event then. */
export function useLastSave({ name, editor }: Pick<FieldProps, 'name' | 'editor'>): void {
  useEffect(() => () => void editor.save(name), [editor, name]);
}

interface TextFieldProps extends FieldProps {
  /** Has several lines. */
  long?: boolean;
  hint?: string;
}

export function TextField({ name, editor, state, long = false, hint }: TextFieldProps) {
  const id = useId();
  useLastSave({ name, editor });
  const props = {
    id,
    value: state.text,
    maxLength: LONGEST,
    autoComplete: 'off',
    'aria-describedby': hint === undefined ? `${id}-state` : `${id}-hint ${id}-state`,
    onChange: ({ target }: { target: { value: string } }) => editor.type(name, target.value),
    onBlur: () => void editor.save(name),
  };
  return (
    <div className="details-field">
      <label htmlFor={id}>{META_FIELDS[name].label}</label>
      {long ? (
        <textarea rows={2} {...props} />
      ) : (
        <input enterKeyHint="done" {...props} onKeyDown={leaveOnEnter} />
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="details-hint">
          {hint}
        </p>
      )}
      <Outcome id={`${id}-state`} name={name} editor={editor} state={state} />
    </div>
  );
}

function leaveOnEnter({ key, currentTarget }: { key: string; currentTarget: HTMLElement }) {
  if (key === 'Enter') currentTarget.blur();
}

/** A date, or a date with its time. */
export function DateField({ name, editor, state }: FieldProps) {
  const id = useId();
  useLastSave({ name, editor });
  const type = dateInput(name, state.text);
  return (
    <div className="details-field">
      <label htmlFor={id}>{META_FIELDS[name].label}</label>
      <input
        id={id}
        {...(type === undefined ? {} : { type })}
        value={state.text}
        aria-describedby={`${id}-state`}
        onChange={({ target }) => editor.type(name, target.value)}
        onBlur={() => void editor.save(name)}
      />
      <Outcome id={`${id}-state`} name={name} editor={editor} state={state} />
    </div>
  );
}

export function FurnishingField({ name, editor, state }: FieldProps) {
  const id = useId();
  const choose = (value: string) => {
    editor.type(name, value);
    void editor.save(name);
  };
  return (
    <div className="details-field">
      <label htmlFor={id}>{META_FIELDS[name].label}</label>
      <select
        id={id}
        value={state.text}
        aria-describedby={`${id}-state`}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">{inspectionTexts.notGiven}</option>
        {Object.entries(FURNISHINGS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Outcome id={`${id}-state`} name={name} editor={editor} state={state} />
    </div>
  );
}

export function TypeField({ name, editor, state }: FieldProps) {
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
      <legend>{META_FIELDS[name].label}</legend>
      <div className="details-choices">
        {['checkin', 'checkout', 'interim'].map((value) => choice(value, state.text === value))}
        {choice('', !isKnown)}
      </div>
      <Outcome id={`${id}-state`} name={name} editor={editor} state={state} />
    </fieldset>
  );
}

export function GuidedField({ name, editor, state }: FieldProps) {
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
        <span>{META_FIELDS[name].label}</span>
      </label>
      <Outcome id={`${id}-state`} name={name} editor={editor} state={state} />
    </div>
  );
}

/** The outcome of saving a field: a reason and buttons if it was not saved. */
export function Outcome({ id, name, editor, state: { at, why, meanwhile } }: FieldProps & { id: string }) {
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
  if (META_FIELDS[name].input === 'furnishing') return FURNISHINGS[value as Furnishing] ?? value;
  if (name === 'reportType') return inspectionTexts.reportTypes[value] ?? value;
  if (name === 'guided') return value === 'true' ? texts.yes : texts.no;
  return value === '' ? inspectionTexts.nothing : value.replace(/[\t\n]+/g, ', ');
}
