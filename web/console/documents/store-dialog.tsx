import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DocumentStoreView } from '../../../src/api/documents.js';
import { EMBEDDING_PROVIDER_IDS, MODEL_PROVIDERS } from '../../../src/api/model-provider-terms.js';
import { ApiError } from '../api/api-error.js';
import { post, put, segment } from '../api/client.js';
import { Field } from '../parts/entry/field.js';
import { Select } from '../parts/entry/select.js';
import { DialogForm } from '../parts/overlay/dialog-form.js';
import { Dialog } from '../parts/overlay/dialog.js';
import { counted } from '../parts/words.js';
import './store-dialog.css';
import { embedsAgain, type StoreDraft, storeBody, storeDraft, storeFaults } from './store-form.js';
import { documentsOf, useProviderKeys } from './use-stores.js';

interface StoreDialogProps {
  isOpen: boolean;
  /** The store to change; absent for a new one. */
  store?: DocumentStoreView;
  onClose: () => void;
  onMade?: (store: DocumentStoreView) => void;
}

/** Creates a store, or changes its settings. */
export function StoreDialog(props: StoreDialogProps) {
  const { isOpen, store, onClose } = props;
  return (
    <Dialog title={store ? 'Edit the store' : 'New document store'} isOpen={isOpen} onClose={onClose}>
      <StoreForm {...props} />
    </Dialog>
  );
}

const providerOptions = EMBEDDING_PROVIDER_IDS.map((value) => ({
  value,
  name: MODEL_PROVIDERS[value].label,
}));

function StoreForm({ store, onClose, onMade }: StoreDialogProps) {
  const client = useQueryClient();
  const keys = useProviderKeys();
  const [draft, setDraft] = useState(() => storeDraft(store));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const saving = useMutation({
    mutationFn: (body: ReturnType<typeof storeBody>) =>
      store
        ? put<DocumentStoreView>(`document-stores/${segment(store.id)}`, body)
        : post<DocumentStoreView>('document-stores', body),
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: ['document-stores'] });
      await client.invalidateQueries({ queryKey: [documentsOf(saved.id)] });
      onClose();
      onMade?.(saved);
    },
    onError: (error) => setFaults(faultsIn(error)),
  });
  const save = () => {
    const wrong = storeFaults(draft);
    setFaults(wrong);
    if (Object.keys(wrong).length === 0) saving.mutate(storeBody(draft));
  };
  const set = (change: Partial<StoreDraft>) => setDraft({ ...draft, ...change });
  const { model, address } = MODEL_PROVIDERS[draft.provider].embedding!;
  return (
    <DialogForm
      action={store ? 'Save' : 'Create the store'}
      isPending={saving.isPending}
      error={saving.error}
      onSubmit={save}
      onClose={onClose}
    >
      <Field
        label="Name"
        autoFocus
        autoComplete="off"
        value={draft.name}
        onChange={(name) => set({ name })}
        fault={faults['name']}
        placeholder="Manuals"
      />
      <Select
        label="Provider of the embedding model"
        options={providerOptions}
        value={draft.provider}
        onChange={(provider) => set({ provider })}
      />
      <Field
        label="Model"
        autoComplete="off"
        value={draft.model}
        onChange={(model) => set({ model })}
        fault={faults['embedding.name']}
        placeholder={model}
      />
      <Field
        label={address === undefined ? 'Address (leave empty for the provider’s own)' : 'Address'}
        autoComplete="off"
        value={draft.baseUrl}
        onChange={(baseUrl) => set({ baseUrl })}
        fault={faults['embedding.baseUrl']}
        {...(address === undefined ? {} : { placeholder: address })}
      />
      <Select
        label="Credential"
        options={[
          { value: '', name: 'None' },
          ...(keys.data ?? []).map(({ id, name }) => ({ value: id, name })),
        ]}
        value={draft.credentialId}
        onChange={(credentialId) => set({ credentialId })}
      />
      {faults['embedding.credentialId'] !== undefined && (
        <p className="field-fault">The credential {faults['embedding.credentialId']}.</p>
      )}
      <div className="store-chunks">
        <Field
          label="Chunk size"
          inputMode="numeric"
          value={draft.size}
          onChange={(size) => set({ size })}
          fault={faults['chunk.size']}
          hint="Characters"
        />
        <Field
          label="Overlap"
          inputMode="numeric"
          value={draft.overlap}
          onChange={(overlap) => set({ overlap })}
          fault={faults['chunk.overlap']}
          hint="Characters shared with the next chunk"
        />
      </div>
      {store && store.documents > 0 && embedsAgain(store, draft) && (
        <p className="store-again" role="status">
          {counted(store.documents, 'document')} will be embedded again and can be searched when ready.
        </p>
      )}
    </DialogForm>
  );
}

const faultsIn = (error: Error): Record<string, string> =>
  error instanceof ApiError
    ? Object.fromEntries(error.errors.map(({ path, message }) => [path, message]))
    : {};
