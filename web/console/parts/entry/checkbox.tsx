import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components';
import './checkbox.css';
import { CheckIcon } from '../icons.js';

export function Checkbox({
  isSelected,
  onChange,
  children,
}: {
  isSelected: boolean;
  onChange: (selected: boolean) => void;
  children: ReactNode;
}) {
  return (
    <AriaCheckbox className="checkbox" isSelected={isSelected} onChange={onChange}>
      <span className="checkbox-box">
        <CheckIcon />
      </span>
      {children}
    </AriaCheckbox>
  );
}
