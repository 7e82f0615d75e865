import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CaseView } from '../../../../src/api/cases.js';
import type { ExecutionWithTrace } from '../../../../src/api/executions.js';
import { post, segment } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { Field } from '../../parts/entry/field.js';
import { DialogForm } from '../../parts/overlay/dialog-form.js';
import { Dialog } from '../../parts/overlay/dialog.js';

const LONGEST_NAME = 200;

/** Keeps an execution as a case of its flow: a test that a changed flow must still pass. */
export function KeepDialog({
  execution,
  flowId,
  isOpen,
  onClose,
}: {
  execution: ExecutionWithTrace;
  flowId: string;
  isOpen: boolean;
  onClose: () => void;
}) {
  const [name, setName] = useState(() => (execution.question ?? '').trim().slice(0, 80));
  const [contains, setContains] = useState('');
  const keeping = useMutation({
    mutationFn: () =>
      post<CaseView>(`flows/${segment(flowId)}/cases`, {
        name: name.trim().slice(0, LONGEST_NAME) || 'A case',
        executionId: execution.id,
        checks: contains === '' ? [] : [{ kind: 'contains', value: contains }],
      }),
  });
  const close = () => {
    keeping.reset();
    onClose();
  };
  return (
    <Dialog title="Keep as a case" isOpen={isOpen} onClose={close}>
      {keeping.data ? (
        <>
          <p role="status">Kept. Run it against a draft before you publish it.</p>
          <div className="dialog-actions">
            <Button onPress={close}>Close</Button>
            <Link
              to="/console/flows/$id/cases"
              params={{ id: flowId }}
              className="button button-primary"
              onClick={close}
            >
              Open the cases
            </Link>
          </div>
        </>
      ) : (
        <DialogForm
          action="Keep"
          isPending={keeping.isPending}
          error={keeping.error}
          onSubmit={() => keeping.mutate()}
          onClose={close}
        >
          <p>
            The caller’s words and files are copied, and the recorded answers of models and other services.
            The copy stays until you delete the case, also when this record is deleted.
          </p>
          <Field label="Name" value={name} onChange={setName} />
          <Field
            label="The answer must contain"
            value={contains}
            onChange={setContains}
            hint="Leave it empty for now: more kinds of checks can be added to the case."
          />
        </DialogForm>
      )}
    </Dialog>
  );
}
