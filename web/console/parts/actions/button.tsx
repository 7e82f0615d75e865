import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import './button.css';

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  /** `primary` for the main action of a view, `quiet` in a row of many, `danger` for destructive actions. */
  look?: 'plain' | 'primary' | 'quiet' | 'danger';
  icon?: ReactNode;
  /** The accessible name of a button that shows only its icon. */
  label?: string;
  small?: boolean;
  children?: ReactNode;
}

/** The console's button. While `isPending`, it keeps its size and focus, and pressing it does nothing. */
export function Button({
  look = 'plain',
  icon,
  label,
  small = false,
  isPending = false,
  children,
  ...rest
}: ButtonProps) {
  // Not the library's pending state, which requires a progress bar inside.
  const pending = isPending
    ? ({ 'aria-disabled': 'true', type: 'button', onPress: ignore, 'data-pending': true } as const)
    : {};
  const shape = children === undefined ? ' button-icon' : '';
  return (
    <AriaButton
      {...rest}
      {...pending}
      {...(label === undefined ? {} : { 'aria-label': label })}
      className={`button button-${look}${small ? ' button-small' : ''}${shape}`}
    >
      {icon}
      {children}
    </AriaButton>
  );
}

const ignore = (): void => undefined;
