import { useEffect, useState } from 'react';
import { Button as AriaButton, Input, Label, SearchField as AriaSearchField } from 'react-aria-components';
import './field.css';
import { CloseIcon, SearchIcon } from '../icons.js';
import './search-field.css';

const PAUSE_MS = 250;

interface SearchFieldProps {
  label: string;
  placeholder?: string;
  value: string;
  /** Called when typing pauses, on Enter, and when the field is cleared. */
  onChange: (text: string) => void;
  showLabel?: boolean;
  inputRef?: (element: HTMLInputElement | null) => void;
}

export function SearchField({
  label,
  placeholder,
  value,
  onChange,
  showLabel = false,
  inputRef,
}: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [given, setGiven] = useState(value);
  const [reported, setReported] = useState(value);
  if (given !== value) {
    setGiven(value);
    // Letters typed since the last report stay, and are reported in their turn.
    if (text === reported) {
      setText(value);
      setReported(value);
    }
  }
  const report = (typed: string) => {
    setReported(typed);
    onChange(typed);
  };
  useEffect(() => {
    if (text === reported) return;
    const timer = setTimeout(() => report(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, reported, onChange]);
  return (
    <AriaSearchField
      className="search field"
      value={text}
      onChange={setText}
      onSubmit={report}
      onClear={() => report('')}
      {...(showLabel ? {} : { 'aria-label': label })}
    >
      {showLabel && <Label className="field-label">{label}</Label>}
      <div className="search-box">
        <SearchIcon />
        <Input
          ref={inputRef ?? null}
          className="field-input"
          {...(placeholder === undefined ? {} : { placeholder })}
        />
        <AriaButton className="search-clear" aria-label="Clear">
          <CloseIcon />
        </AriaButton>
      </div>
    </AriaSearchField>
  );
}
