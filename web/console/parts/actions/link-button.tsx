import { createLink, type LinkComponent } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
import './button.css';

interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  look?: 'plain' | 'primary' | 'quiet';
  small?: boolean;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link that leaves the console and looks like a button. */
export function AnchorButton({ look = 'plain', small = false, className: _, ...rest }: AnchorProps) {
  return <a {...rest} className={`button button-${look}${small ? ' button-small' : ''}`} />;
}

/** A link within the console that looks like a button: `to`, `params` and `search` as on `Link`. */
export const LinkButton: LinkComponent<typeof AnchorButton> = createLink(AnchorButton);
