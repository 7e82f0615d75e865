import {
  Button as AriaButton,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components';
import './field.css';
import { CheckIcon, ChevronDownIcon } from '../icons.js';
import '../actions/menu.css';
import './select.css';

export interface Option<Value extends string> {
  value: Value;
  name: string;
}

/** Selects one option. For “any”, add an option with the value `''`. */
export function Select<Value extends string>({
  label,
  options,
  value,
  onChange,
  showLabel = true,
}: {
  label: string;
  options: readonly Option<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  showLabel?: boolean;
}) {
  return (
    <AriaSelect
      className="field select"
      value={`=${value}`}
      onChange={(key) => {
        const chosen = options.find((option) => `=${option.value}` === key);
        if (chosen) onChange(chosen.value);
      }}
      {...(showLabel ? {} : { 'aria-label': label })}
    >
      {showLabel && <Label className="field-label">{label}</Label>}
      <AriaButton className="field-input select-button">
        <SelectValue className="select-value" />
        <ChevronDownIcon />
      </AriaButton>
      <Popover className="popover">
        <ListBox className="menu">
          {options.map((option) => (
            <ListBoxItem
              key={option.value}
              id={`=${option.value}`}
              textValue={option.name}
              className="menu-item"
            >
              {({ isSelected }) => (
                <>
                  <span>{option.name}</span>
                  {isSelected && <CheckIcon />}
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
