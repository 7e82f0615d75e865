import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKeyView } from '../../../../src/api/access.js';
import type { AccessRules, FlowSummary } from '../../../../src/api/flows.js';
import { ApiError } from '../../api/api-error.js';
import { Button } from '../../parts/actions/button.js';
import { Checkbox } from '../../parts/entry/checkbox.js';
import { Field } from '../../parts/entry/field.js';
import { Select } from '../../parts/entry/select.js';
import { DialogForm } from '../../parts/overlay/dialog-form.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import './access-dialog.css';
import { toast } from '../../parts/overlay/toast.js';
import {
  type AccessDraft,
  accessNames,
  type DraftFaults,
  draftOfAccess,
  fieldOfFault,
  readAccess,
  withDomain,
} from './access-edit.js';
import { AccessConflict, saveAccess } from './save-access.js';

/** Edits the access rules and the rate limit of a flow. */
export function AccessDialog({
  flow,
  keys,
  domain,
  onClose,
}: {
  flow: FlowSummary | undefined;
  keys: readonly ApiKeyView[];
  /** A domain that the form adds to the allowed ones. */
  domain?: string | undefined;
  onClose: () => void;
}) {
  return (
    <Dialog title="Who may call" isOpen={flow !== undefined} onClose={onClose}>
      {flow && <AccessForm key={flow.id} flow={flow} keys={keys} domain={domain} onClose={onClose} />}
    </Dialog>
  );
}

function AccessForm({
  flow,
  keys,
  domain,
  onClose,
}: {
  flow: FlowSummary;
  keys: readonly ApiKeyView[];
  domain: string | undefined;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [base, setBase] = useState(flow.access);
  const [draft, setDraft] = useState(() => withDomain(draftOfAccess(flow.access), domain));
  const [faults, setFaults] = useState<DraftFaults>({});
  const saving = useMutation({
    mutationFn: (mine: AccessRules) => saveAccess(flow.id, base, mine),
    onSuccess: () => {
      toast('Saved.');
      onClose();
    },
    onError: (error) => {
      setFaults(faultsIn(error));
      // The person has now seen the conflict, so saving again overwrites.
      if (error instanceof AccessConflict) setBase(error.theirs);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['flows'] }),
  });
  const save = () => {
    const read = readAccess(draft);
    setFaults('faults' in read ? read.faults : {});
    if ('access' in read) saving.mutate(read.access);
  };
  const conflict = saving.error instanceof AccessConflict ? saving.error : undefined;
  return (
    <DialogForm
      action="Save"
      isPending={saving.isPending}
      error={conflict ? undefined : saving.error}
      onSubmit={save}
      onClose={onClose}
    >
      <p className="faint">
        Flow <b>{flow.name}</b>. Takes effect with the next call.
      </p>
      <LimitFields draft={draft} faults={faults} onChange={setDraft} />
      <CallerFields draft={draft} faults={faults} keys={keys} onChange={setDraft} />
      {conflict && (
        <Conflict
          conflict={conflict}
          onTheirs={() => {
            setDraft(draftOfAccess(base));
            saving.reset();
          }}
        />
      )}
    </DialogForm>
  );
}

interface FieldsProps {
  draft: AccessDraft;
  faults: DraftFaults;
  onChange: (draft: AccessDraft) => void;
}

function LimitFields({ draft, faults, onChange }: FieldsProps) {
  return (
    <fieldset className="access-fields">
      <legend>Rate limit</legend>
      <Checkbox isSelected={draft.limited} onChange={(limited) => onChange({ ...draft, limited })}>
        Limit calls per caller
      </Checkbox>
      {draft.limited && (
        <>
          <div className="access-pair">
            <Field
              label="Calls"
              inputMode="numeric"
              value={draft.limit}
              onChange={(limit) => onChange({ ...draft, limit })}
              fault={faults.limit}
            />
            <Field
              label="Window in seconds"
              inputMode="numeric"
              value={draft.windowSeconds}
              onChange={(windowSeconds) => onChange({ ...draft, windowSeconds })}
              fault={faults.windowSeconds}
            />
          </div>
          <Field
            label="Message to refused callers"
            placeholder="Too many calls. Wait for the time in Retry-After, then try again."
            value={draft.message}
            onChange={(message) => onChange({ ...draft, message })}
            fault={faults.message}
            hint="Calls are counted per API key or, without a key, per address."
          />
        </>
      )}
    </fieldset>
  );
}

function CallerFields({ draft, faults, keys, onChange }: FieldsProps & { keys: readonly ApiKeyView[] }) {
  const options = [
    { value: '', name: 'No key (open to anyone)' },
    ...keys.map(({ id, name }) => ({ value: id, name })),
    ...(draft.apiKeyId === '' || keys.some(({ id }) => id === draft.apiKeyId)
      ? []
      : [{ value: draft.apiKeyId, name: 'Revoked key (closed to everyone)' }]),
  ];
  return (
    <fieldset className="access-fields">
      <legend>Who</legend>
      <Select
        label="API key"
        options={options}
        value={draft.apiKeyId}
        onChange={(apiKeyId) => onChange({ ...draft, apiKeyId })}
      />
      <Field
        label="Allowed domains"
        rows={3}
        placeholder={'example.com\n*.example.com'}
        value={draft.domains}
        onChange={(domains) => onChange({ ...draft, domains })}
        fault={faults.domains}
        hint="One host per line. Leave empty to allow any website."
      />
      <Checkbox isSelected={draft.public} onChange={(open) => onChange({ ...draft, public: open })}>
        Public chat page (share link)
      </Checkbox>
    </fieldset>
  );
}

function Conflict({ conflict, onTheirs }: { conflict: AccessConflict; onTheirs: () => void }) {
  const names = conflict.members.map((name) => accessNames[name]).join(' and ');
  return (
    <div className="note note-warn access-conflict" role="alert">
      <p>
        Someone else has changed {names} since you opened this. Nothing was saved. Save again to overwrite
        their changes, or use theirs.
      </p>
      <Button small onPress={onTheirs}>
        Use theirs
      </Button>
    </div>
  );
}

function faultsIn(error: Error): DraftFaults {
  if (!(error instanceof ApiError)) return {};
  const known = error.errors.flatMap(({ path, message }) => {
    const field = fieldOfFault(path);
    return field === undefined ? [] : [[field, message] as const];
  });
  return Object.fromEntries(known);
}
