import { type ReactNode, useState } from 'react';
import { Field } from '../../parts/entry/field.js';
import { DialogForm } from '../../parts/overlay/dialog-form.js';
import { Dialog } from '../../parts/overlay/dialog.js';

/** Asks for a correction and an optional reason. */
export function CorrectionDialog({
  title,
  action,
  fault = '',
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  action: string;
  /** The reason that the input cannot be sent. */
  fault?: string;
  onSubmit: (reason: string) => void;
  onClose: () => void;
  children: (fault: string) => ReactNode;
}) {
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <DialogForm
        action={action}
        isPending={false}
        onClose={onClose}
        onSubmit={() => {
          setTried(true);
          if (fault !== '') return;
          onSubmit(reason.trim());
          onClose();
        }}
      >
        {children(tried ? fault : '')}
        <ReasonField reason={reason} onChange={setReason} />
      </DialogForm>
    </Dialog>
  );
}

export function ReasonField({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  return (
    <Field
      label="Reason"
      value={reason}
      onChange={onChange}
      maxLength={1_000}
      autoComplete="off"
      hint="Optional. Stored with the correction."
    />
  );
}

/** Returns the fault of an area's name, which needs a letter, digit or symbol. */
export const areaFault = (name: string): string =>
  /[\p{L}\p{N}\p{S}]/u.test(name) ? '' : 'Enter the name of an area.';

/** Asks for one line of text, such as the name of an area or a caption. */
export function LineDialog({
  label,
  hint,
  before = '',
  mayBeEmpty = false,
  maxLength,
  onSubmit,
  ...rest
}: {
  title: string;
  action: string;
  label: string;
  hint?: (line: string) => string | undefined;
  before?: string;
  mayBeEmpty?: boolean;
  maxLength: number;
  onSubmit: (line: string, reason: string) => void;
  onClose: () => void;
}) {
  const [line, setLine] = useState(before);
  return (
    <CorrectionDialog
      {...rest}
      fault={mayBeEmpty ? '' : areaFault(line)}
      onSubmit={(reason) => onSubmit(line.trim().replace(/\s+/gu, ' '), reason)}
    >
      {(fault) => (
        <Field
          label={label}
          value={line}
          onChange={setLine}
          fault={fault}
          hint={hint?.(line)}
          maxLength={maxLength}
          autoComplete="off"
          autoFocus
        />
      )}
    </CorrectionDialog>
  );
}
