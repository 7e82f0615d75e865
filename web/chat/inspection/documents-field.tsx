import { type FocusEvent, useId } from 'react';
import {
  dateInput,
  type DocumentRow,
  documentRows,
  documentText,
  META_FIELDS,
} from '../../common/meta-fields.js';
import { inspectionTexts } from './inspection-texts.js';
import { type FieldProps, Outcome, useLastSave } from './record-field.js';

const EMPTY: DocumentRow = { kind: '', date: '', note: '' };
const LONGEST_PART = 500;

/** The documents handed over: a row each, and an empty one for the next. Saved when the focus leaves the rows. */
export function DocumentsField({ name, editor, state }: FieldProps) {
  const id = useId();
  useLastSave({ name, editor });
  const rows = [...documentRows(state.text), EMPTY];
  const put = (at: number, change: Partial<DocumentRow>) => {
    const changed = rows.map((row, index) => (index === at ? { ...row, ...change } : row));
    editor.type(name, documentText(changed.filter((row) => Object.values(row).some((part) => part !== ''))));
  };
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) void editor.save(name);
  };
  return (
    <fieldset className="details-keys" aria-describedby={`${id}-state`} onBlur={leave}>
      <legend>{META_FIELDS[name].label}</legend>
      {rows.map((row, at) => (
        <div key={at} className="details-document">
          {(['kind', 'date', 'note'] as const).map((part) => (
            <div key={part} className="details-field">
              <label htmlFor={`${id}-${at}-${part}`}>{inspectionTexts.documentPart[part]}</label>
              <input
                id={`${id}-${at}-${part}`}
                aria-label={inspectionTexts.documentField(part, at + 1)}
                {...(part === 'date' && isDate(row.date) ? { type: 'date' } : {})}
                value={row[part]}
                maxLength={LONGEST_PART}
                autoComplete="off"
                onChange={({ target }) => put(at, { [part]: target.value })}
              />
            </div>
          ))}
        </div>
      ))}
      <Outcome id={`${id}-state`} name={name} editor={editor} state={state} />
    </fieldset>
  );
}

const isDate = (text: string): boolean => dateInput('tenancy.start', text) !== undefined;
