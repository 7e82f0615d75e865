import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { NewApiKeyView } from '../../../../src/api/access.js';
import { post } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { CopyButton } from '../../parts/actions/copy-button.js';
import { Field } from '../../parts/entry/field.js';
import { DialogForm } from '../../parts/overlay/dialog-form.js';
import './new-key-dialog.css';
import { Dialog } from '../../parts/overlay/dialog.js';

/**
 * Creates a key and shows it once. While it is shown, Escape, the close button, the browser's back button and leaving the
 * page all ask for confirmation, since only this dialog holds the key.
 */
export function NewKeyDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [made, setMade] = useState<NewApiKeyView>();
  const [leaving, setLeaving] = useState(false);
  useBlocker({
    shouldBlockFn: () => {
      setLeaving(true);
      return true;
    },
    enableBeforeUnload: true,
    disabled: made === undefined,
  });
  const close = () => {
    setMade(undefined);
    setLeaving(false);
    onClose();
  };
  return (
    <Dialog
      title={made ? 'Your new key' : 'Create a key'}
      isOpen={isOpen}
      onClose={made ? () => setLeaving(true) : close}
    >
      {made ? (
        <ShownKey made={made} leaving={leaving} onStay={() => setLeaving(false)} onClose={close} />
      ) : (
        <NameForm onMade={setMade} onClose={close} />
      )}
    </Dialog>
  );
}

function NameForm({ onMade, onClose }: { onMade: (made: NewApiKeyView) => void; onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [fault, setFault] = useState('');
  const making = useMutation({
    gcTime: 0,
    mutationFn: (wanted: string) => post<NewApiKeyView>('api-keys', { name: wanted }),
    onSuccess: onMade,
    // Also after a failure: a key whose response was lost is in the list and can be revoked there.
    onSettled: () => client.invalidateQueries({ queryKey: ['api-keys'] }),
  });
  const make = () => {
    const wanted = name.trim();
    const wrong = wanted === '' ? 'Enter a name.' : '';
    setFault(wanted.length > 200 ? 'At most 200 characters.' : wrong);
    if (wrong === '' && wanted.length <= 200) making.mutate(wanted);
  };
  return (
    <DialogForm
      action="Create the key"
      isPending={making.isPending}
      error={making.error}
      onSubmit={make}
      onClose={onClose}
    >
      <Field
        label="Name"
        autoFocus
        value={name}
        onChange={setName}
        fault={fault}
        placeholder="Website"
        autoComplete="off"
        hint="Who will use it: a website, a partner, a script."
      />
    </DialogForm>
  );
}

function ShownKey({
  made,
  leaving,
  onStay,
  onClose,
}: {
  made: NewApiKeyView;
  leaving: boolean;
  onStay: () => void;
  onClose: () => void;
}) {
  const text = useRef<HTMLElement>(null);
  // The form that had the focus is gone.
  useEffect(() => text.current?.focus(), []);
  return (
    <div className="form">
      <p>
        The key <b>{made.name}</b> is shown only once. Copy it now and store it safely.
      </p>
      <div className="new-key">
        <code ref={text} className="new-key-text" tabIndex={0} aria-label="The key">
          {made.key}
        </code>
        <CopyButton text={made.key} label="Copy the key" showLabel />
      </div>
      <p className="faint">
        No flow uses it yet. Assign it to a flow under <b>Rate limits</b>, “Who may call”.
      </p>
      {leaving && (
        <p className="note note-warn" role="alert">
          The key cannot be shown again after you close this. Have you copied it?
        </p>
      )}
      <div className="dialog-actions">
        {leaving && <Button onPress={onStay}>Not yet</Button>}
        <Button look={leaving ? 'danger' : 'primary'} onPress={onClose}>
          {leaving ? 'Close anyway' : 'I have stored the key'}
        </Button>
      </div>
    </div>
  );
}
