import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { CloseIcon } from '../../common/icons.js';
import { texts } from '../texts.js';
import { useModal } from './use-modal.js';

interface SheetProps {
  title: string;
  /** Called on Escape, the close button or a tap outside. The caller then removes the sheet. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * A modal dialog at the bottom edge of a phone or in the middle of a wider screen. It opens with the focus on its title and
 * returns the focus when it is removed.
 */
export function Sheet({ title, onClose, children }: SheetProps) {
  const modal = useModal(onClose);
  const pressed = useRef<EventTarget>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  // Outside forms and anything that clips its content.
  return createPortal(
    <dialog
      {...modal}
      className="sheet"
      aria-label={title}
      onPointerDown={({ target }) => (pressed.current = target)}
      // Not when a text selection or a press that started elsewhere ends here.
      onClick={({ target, currentTarget }) =>
        target === currentTarget && pressed.current === currentTarget && onClose()
      }
    >
      <div className="sheet-body">
        <header className="sheet-head">
          <h2 ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" className="round" aria-label={texts.close} onClick={onClose}>
            <CloseIcon />
          </button>
        </header>
        {children}
      </div>
    </dialog>,
    document.body,
  );
}
