import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../actions/button.js';
import { Problem } from '../waiting/problem.js';
import { Dialog } from './dialog.js';

interface ConfirmProps {
  /** A question: “Revoke the key?” */
  title: string;
  /** The consequences, in a sentence. */
  children: ReactNode;
  /** The label of the button: “Revoke”. */
  action: string;
  isOpen: boolean;
  onClose: () => void;
  /** The dialog closes when this resolves. A failure is shown in the dialog and can be retried. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, children, action, isOpen, onClose, onConfirm }: ConfirmProps) {
  const close = () => {
    confirmed.reset();
    onClose();
  };
  const confirmed = useMutation({ mutationFn: onConfirm, onSuccess: close });
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close} role="alertdialog">
      <p>{children}</p>
      {confirmed.error && <Problem error={confirmed.error} />}
      <div className="dialog-actions">
        <Button autoFocus onPress={close}>
          Keep
        </Button>
        <Button look="danger" isPending={confirmed.isPending} onPress={() => confirmed.mutate()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
