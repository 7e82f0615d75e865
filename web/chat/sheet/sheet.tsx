import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { CloseIcon } from '../../common/icons.js';
import { texts } from '../texts.js';

interface SheetProps {
  title: string;
  /** By Escape, the cross or a tap beside it; whoever shows the sheet takes it away then. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * A modal dialog that rises from the lower edge of a telephone, and stands in the middle of a wider screen. It begins with
 * the focus on its title; taken away, it gives the focus back to where it was.
 */
export function Sheet({ title, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressed = useRef<EventTarget>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    heading.current?.focus();
    // The browser gives the focus back when a dialog closes, not when it is removed.
    return () => shown.close();
  }, []);
  const close = () => dialog.current?.close();
  // Outside of forms and of what clips its content.
  return createPortal(
    <dialog
      ref={dialog}
      className="sheet"
      aria-label={title}
      onClose={onClose}
      onPointerDown={({ target }) => (pressed.current = target)}
      // Not where a selection of text or a press of the page merely ends.
      onClick={({ target, currentTarget }) =>
        target === currentTarget && pressed.current === currentTarget && close()
      }
    >
      <div className="sheet-body">
        <header className="sheet-head">
          <h2 ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" className="round" aria-label={texts.close} onClick={close}>
            <CloseIcon />
          </button>
        </header>
        {children}
      </div>
    </dialog>,
    document.body,
  );
}
