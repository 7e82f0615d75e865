import type { ReactNode } from 'react';
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  type MenuItemProps,
  type MenuProps,
  Popover,
} from 'react-aria-components';
import { CheckIcon } from '../icons.js';
import './menu.css';

/** The menu that a `MenuTrigger` opens. */
export function Menu({
  label,
  children,
  ...rest
}: { label: string; children: ReactNode } & MenuProps<object>) {
  return (
    <Popover className="popover">
      <AriaMenu {...rest} aria-label={label} className="menu">
        {children}
      </AriaMenu>
    </Popover>
  );
}

export function MenuItem({ children, ...rest }: Omit<MenuItemProps, 'children'> & { children: string }) {
  return (
    <AriaMenuItem {...rest} textValue={children} className="menu-item">
      {({ isSelected }) => (
        <>
          <span>{children}</span>
          {isSelected && <CheckIcon />}
        </>
      )}
    </AriaMenuItem>
  );
}
