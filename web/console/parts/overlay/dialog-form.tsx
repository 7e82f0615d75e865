import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../actions/button.js';
import { Problem } from '../waiting/problem.js';

/** The form in a dialog, sent by Enter or its button, once at a time. An error is shown above the buttons. */
export function DialogForm({
  action,
  isPending,
  error,
  onSubmit,
  onClose,
  children,
}: {
  /** The label of the button: “Save”. */
  action: string;
  isPending: boolean;
  error?: unknown;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) onSubmit();
      }}
    >
      {children}
      {error !== undefined && error !== null && <Problem error={error} />}
      <div className="dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isPending={isPending}>
          {action}
        </Button>
      </div>
    </Form>
  );
}
