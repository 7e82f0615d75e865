import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CredentialKind } from '../../../../src/api/credential-terms.js';
import type { CredentialView } from '../../../../src/api/credentials.js';
import { ApiError } from '../../api/api-error.js';
import { post, put, segment } from '../../api/client.js';
import { Field } from '../../parts/entry/field.js';
import { Select } from '../../parts/entry/select.js';
import { DialogForm } from '../../parts/overlay/dialog-form.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { toast } from '../../parts/overlay/toast.js';
import { bodyOf, credentialKinds, draftFaults, draftOf } from './credential-form.js';

const kinds = (Object.keys(credentialKinds) as CredentialKind[]).map((kind) => ({
  value: kind,
  name: credentialKinds[kind].name,
}));

/** Adds a credential, or replaces the secret of one. The stored secret cannot be shown, so all fields start empty. */
export function CredentialDialog({
  isOpen,
  replaced,
  onClose,
}: {
  isOpen: boolean;
  replaced: CredentialView | undefined;
  onClose: () => void;
}) {
  return (
    <Dialog
      title={replaced ? 'Replace the credential' : 'Add a credential'}
      isOpen={isOpen}
      onClose={onClose}
    >
      <CredentialForm replaced={replaced} onClose={onClose} />
    </Dialog>
  );
}

function CredentialForm({
  replaced,
  onClose,
}: {
  replaced: CredentialView | undefined;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(replaced));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const saving = useMutation({
    gcTime: 0,
    mutationFn: (body: ReturnType<typeof bodyOf>) =>
      replaced
        ? put<CredentialView>(`credentials/${segment(replaced.id)}`, body)
        : post<CredentialView>('credentials', body),
    onSuccess: () => {
      toast(replaced ? 'Credential replaced.' : 'Credential saved.');
      onClose();
    },
    onError: (error) => setFaults(faultsIn(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['credentials'] }),
  });
  const save = () => {
    const wrong = draftFaults(draft);
    setFaults(wrong);
    if (Object.keys(wrong).length === 0) saving.mutate(bodyOf(draft));
  };
  const { fields, hint } = credentialKinds[draft.kind];
  return (
    <DialogForm
      action={replaced ? 'Replace' : 'Save'}
      isPending={saving.isPending}
      error={saving.error}
      onSubmit={save}
      onClose={onClose}
    >
      {replaced && (
        <p className="faint">The stored secret is never shown, so enter it again. The id stays the same.</p>
      )}
      <Field
        label="Name"
        autoFocus
        autoComplete="off"
        value={draft.name}
        onChange={(name) => setDraft({ ...draft, name })}
        fault={faults['name']}
        placeholder="Model provider"
      />
      <Select
        label="Kind"
        options={kinds}
        value={draft.kind}
        onChange={(kind) => setDraft({ ...draft, kind })}
      />
      <p className="faint">{hint}</p>
      {fields.map(({ name, label, secret, ...more }) => (
        <Field
          key={`${draft.kind} ${name}`}
          {...more}
          label={label}
          type={secret ? 'password' : 'text'}
          autoComplete={secret ? 'new-password' : 'off'}
          value={draft.values[name] ?? ''}
          onChange={(text) => setDraft({ ...draft, values: { ...draft.values, [name]: text } })}
          fault={faults[`data.${name}`]}
        />
      ))}
    </DialogForm>
  );
}

const faultsIn = (error: Error): Record<string, string> =>
  error instanceof ApiError
    ? Object.fromEntries(error.errors.map(({ path, message }) => [path, message]))
    : {};
