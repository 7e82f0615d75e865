import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useFormScope } from './form-scope.js';

const MOST = 8;

/** A text whose `{{` completes the names of the flow. */
export function TemplateField({
  label,
  value,
  hint,
  fault,
  isCode = false,
  onChange,
}: {
  label: string;
  value: string;
  hint: string | undefined;
  fault: string;
  isCode?: boolean;
  onChange: (value: string) => void;
}) {
  const { names, done } = useFormScope();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState<string>();
  const [at, setAt] = useState(0);
  const wanted = typed?.toLowerCase();
  const options =
    wanted === undefined
      ? []
      : names.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, MOST);
  const look = () => {
    const { current } = area;
    const before =
      current?.value.slice(Math.max(0, current.selectionStart - 200), current.selectionStart) ?? '';
    setTyped(isCode ? undefined : /\{\{\s*([\w.$-]*)$/.exec(before)?.[1]);
    setAt(0);
  };
  const choose = (name: string) => {
    const { current } = area;
    if (!current) return;
    const end = current.selectionStart;
    const rest = current.value.slice(end);
    const closing = /^[\w.$-]*\s*\}\}/.test(rest) ? '' : '}}';
    current.setRangeText(`${name}${closing}`, end - (typed?.length ?? 0), end, 'end');
    onChange(current.value);
    setTyped(undefined);
    current.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (options.length === 0) return;
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp')
      setAt((at + (key === 'ArrowDown' ? 1 : options.length - 1)) % options.length);
    else if (key === 'Enter' || key === 'Tab') choose(options[at]!.name);
    else if (key === 'Escape') setTyped(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isOpen = options.length > 0;
  return (
    <div className="field template-field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <textarea
        ref={area}
        id={id}
        className={`field-input${isCode ? ' template-code' : ''}`}
        rows={Math.min(14, Math.max(isCode ? 5 : 1, value.split('\n').length, Math.ceil(value.length / 48)))}
        spellCheck={!isCode}
        value={value}
        aria-invalid={fault !== ''}
        data-invalid={fault === '' ? undefined : true}
        aria-describedby={`${id}-hint`}
        aria-autocomplete="list"
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        onChange={({ target }) => {
          onChange(target.value);
          look();
        }}
        onClick={look}
        onKeyDown={press}
        onBlur={() => {
          setTyped(undefined);
          done();
        }}
      />
      {isOpen && (
        <ul className="template-names" id={`${id}-list`} role="listbox" aria-label="Names">
          {options.map(({ name, info }, index) => (
            <li
              key={name}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              // Before the field loses the focus.
              onMouseDown={(event) => {
                event.preventDefault();
                choose(name);
              }}
            >
              <code>{name}</code> <span>{info}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="field-hint" id={`${id}-hint`}>
        {fault === '' ? hint : <span className="field-fault">{fault}</span>}
      </p>
    </div>
  );
}
