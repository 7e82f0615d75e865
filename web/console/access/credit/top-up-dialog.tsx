import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BalanceView, TopUpView } from '../../../../src/api/credit.js';
import { post, segment } from '../../api/client.js';
import { Field } from '../../parts/entry/field.js';
import { DialogForm } from '../../parts/overlay/dialog-form.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { toast } from '../../parts/overlay/toast.js';
import { Time } from '../../parts/values/time.js';
import { counted, numberInWords } from '../../parts/words.js';
import { readAmount } from './credit-amount.js';

export function TopUpDialog({
  balance,
  proposed,
  isOpen,
  onClose,
}: {
  balance: BalanceView;
  /** Credits that the form begins with. */
  proposed?: number | undefined;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog title="Top up" isOpen={isOpen} onClose={onClose}>
      <TopUpForm balance={balance} proposed={proposed} onClose={onClose} />
    </Dialog>
  );
}

/** A retry is safe: each reference is credited once, and the service returns the existing entry of a known reference. */
function TopUpForm({
  balance: { account, balance },
  proposed,
  onClose,
}: {
  balance: BalanceView;
  proposed: number | undefined;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [amount, setAmount] = useState(proposed === undefined ? '' : String(proposed));
  const [reference, setReference] = useState('');
  const [faults, setFaults] = useState({ amount: '', reference: '' });
  const topUp = useMutation({
    mutationFn: (body: { amount: number; reference: string }) =>
      post<TopUpView>(`credit/${segment(account)}/top-ups`, body),
    onSuccess: ({ repeated, entry }) => {
      if (repeated) return;
      toast(`${counted(entry.amount, 'credit')} added.`);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['credit'] }),
  });
  const send = () => {
    const read = readAmount(amount, Number.MAX_SAFE_INTEGER - balance);
    const named = reference.trim();
    const wrong = {
      amount: 'fault' in read ? read.fault : '',
      reference: named === '' ? 'Enter a reference.' : named.length > 255 ? 'At most 255 characters.' : '',
    };
    setFaults(wrong);
    if ('amount' in read && wrong.reference === '') topUp.mutate({ amount: read.amount, reference: named });
  };
  return (
    <DialogForm
      action="Add credits"
      isPending={topUp.isPending}
      error={topUp.error}
      onSubmit={send}
      onClose={onClose}
    >
      <p className="faint">
        Account <b>{account}</b>, {counted(balance, 'credit')} now.
      </p>
      <Field
        label="Credits"
        autoFocus
        inputMode="numeric"
        autoComplete="off"
        value={amount}
        onChange={setAmount}
        fault={faults.amount}
        placeholder="500"
      />
      <Field
        label="Reference"
        autoComplete="off"
        value={reference}
        onChange={setReference}
        fault={faults.reference}
        placeholder="invoice-2026-11"
        hint="Identifies the payment. Each reference is credited once, so it is safe to send it again."
      />
      {topUp.data?.repeated && <Repeated known={topUp.data} />}
    </DialogForm>
  );
}

function Repeated({ known: { entry, balance } }: { known: TopUpView }) {
  return (
    <p className="note note-warn" role="alert">
      Nothing was added: “{entry.reference}” was already used for a top-up of{' '}
      {counted(entry.amount, 'credit')} (<Time at={entry.at} />
      ). The balance is {numberInWords(balance)}. Use a new reference for another payment.
    </p>
  );
}
