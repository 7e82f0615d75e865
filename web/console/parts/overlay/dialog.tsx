import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from '../actions/button.js';
import './dialog.css';
import { CloseIcon } from '../icons.js';

interface DialogProps {
  title: string;
  isOpen: boolean;
  /** Called on Escape or the close button. A click outside does not close it, since typed text would be lost. */
  onClose: () => void;
  wide?: boolean;
  /** `alertdialog` for actions that cannot be undone. */
  role?: 'dialog' | 'alertdialog';
  children: ReactNode;
}

/** A modal dialog that traps the focus and returns it on closing. Put its buttons in `.dialog-actions`. */
export function Dialog({ title, isOpen, onClose, wide = false, role = 'dialog', children }: DialogProps) {
  return (
    <ModalOverlay
      className="dialog-back"
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={wide ? 'dialog dialog-wide' : 'dialog'}>
        <AriaDialog role={role} className="dialog-body">
          <div className="dialog-head">
            <Heading slot="title">{title}</Heading>
            <Button look="quiet" small label="Close" icon={<CloseIcon />} onPress={onClose} />
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
