import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CaseCalls } from '../../../../src/api/case-terms.js';
import type { CaseSettings, CaseView } from '../../../../src/api/cases.js';
import { put, segment } from '../../api/client.js';
import { Field } from '../../parts/entry/field.js';
import { Select } from '../../parts/entry/select.js';
import { DialogForm } from '../../parts/overlay/dialog-form.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { draftOfCheck, readCheck } from './check-draft.js';
import { CheckFields } from './check-fields.js';
import { casesPath } from './use-cases.js';

const CALLS = [
  { value: 'recorded', name: 'Recorded' },
  { value: 'live', name: 'Live, at the price of the flow' },
] as const;

/** Changes the name, calls and checks of a case. Its copy of the execution stays. */
export function EditCaseDialog({ edited, onClose }: { edited: CaseView; onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState(edited.name);
  const [calls, setCalls] = useState<CaseCalls>(edited.calls);
  const [checks, setChecks] = useState(() => edited.checks.map(draftOfCheck));
  const [faults, setFaults] = useState<ReadonlyMap<number, string>>(new Map());
  const saving = useMutation({
    mutationFn: (settings: CaseSettings) =>
      put<CaseView>(`${casesPath(edited.flowId)}/${segment(edited.id)}`, settings),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['cases', edited.flowId] });
      onClose();
    },
  });
  const save = () => {
    const read = checks.map((check) => ({ id: check.id, ...readCheck(check) }));
    setFaults(new Map(read.flatMap((each) => ('fault' in each ? [[each.id, each.fault] as const] : []))));
    const sound = read.flatMap((each) => ('check' in each ? [each.check] : []));
    if (sound.length === checks.length) saving.mutate({ name, calls, checks: sound });
  };
  return (
    <Dialog title="Edit the case" wide isOpen onClose={onClose}>
      <DialogForm
        action="Save"
        isPending={saving.isPending}
        error={saving.error}
        onSubmit={save}
        onClose={onClose}
      >
        <Field label="Name" value={name} onChange={setName} />
        <Select label="Calls" options={CALLS} value={calls} onChange={setCalls} />
        <CheckFields
          checks={checks}
          faults={faults}
          onChange={(next) => {
            setChecks(next);
            setFaults(new Map());
          }}
        />
      </DialogForm>
    </Dialog>
  );
}
