import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import './button.css';

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  /** `plain` unless it is the one thing to do here (`primary`), stands in a row of many (`quiet`), or destroys (`danger`). */
  look?: 'plain' | 'primary' | 'quiet' | 'danger';
  icon?: ReactNode;
  /** For a button that shows its icon alone. */
  label?: string;
  small?: boolean;
  children?: ReactNode;
}

/** Every button of the console. While `isPending` it keeps its size and its focus, and pressing it does nothing. */
export function Button({
  look = 'plain',
  icon,
  label,
  small = false,
  isPending = false,
  children,
  ...rest
}: ButtonProps) {
  // Not the library's own: it wants a progress bar inside, and tells screen readers of nothing else.
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
