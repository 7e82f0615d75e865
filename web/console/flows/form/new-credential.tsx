import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CredentialView } from '../../../../src/api/credentials.js';
import { post } from '../../api/client.js';
import { Field } from '../../parts/entry/field.js';
import { DialogForm } from '../../parts/overlay/dialog-form.js';
import { Dialog } from '../../parts/overlay/dialog.js';

/** Stores an API key without leaving the node that needs it. */
export function NewCredential({
  onStored,
  onClose,
}: {
  onStored: (id: string) => void;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [apiKey, setApiKey] = useState('');
  const saving = useMutation({
    gcTime: 0,
    mutationFn: () => post<CredentialView>('credentials', { name, kind: 'api-key', data: { apiKey } }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['credentials'] });
      onStored(id);
      onClose();
    },
  });
  return (
    <Dialog title="New API key" isOpen onClose={onClose}>
      <DialogForm
        action="Store"
        isPending={saving.isPending}
        error={saving.error}
        onSubmit={() => saving.mutate()}
        onClose={onClose}
      >
        <Field label="Name" value={name} onChange={setName} isRequired />
        <Field
          label="API key"
          type="password"
          autoComplete="off"
          value={apiKey}
          onChange={setApiKey}
          isRequired
        />
        <p className="faint">It is stored encrypted, and never shown again.</p>
      </DialogForm>
    </Dialog>
  );
}
