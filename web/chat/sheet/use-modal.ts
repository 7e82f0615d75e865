import { type DialogHTMLAttributes, type RefObject, useLayoutEffect, useRef } from 'react';

type ModalProps = Pick<DialogHTMLAttributes<HTMLDialogElement>, 'onCancel' | 'onClose'> & {
  ref: RefObject<HTMLDialogElement | null>;
};

/** Returns the properties of a dialog that is shown modally while it is mounted. `onClose` must unmount it. */
export function useModal(onClose: () => void): ModalProps {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = ref.current!;
    shown.showModal();
    // The browser returns the focus when a dialog closes, not when it is removed.
    return () => shown.close();
  }, []);
  return {
    ref,
    // The event of closing comes a moment after the dialog has vanished. A press of its opener in between would be lost.
    onCancel: (event) => {
      // A file picker inside reports its own cancellation, which bubbles.
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      onClose();
    },
    // Some closings by the browser cannot be cancelled. The event also follows when the dialog is unmounted.
    onClose: () => ref.current && onClose(),
  };
}
