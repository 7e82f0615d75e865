import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ExecutionWithTrace } from '../../../../src/api/executions.js';
import { post, remove, segment } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { CompareIcon, RepeatIcon, StopIcon, TrashIcon } from '../../parts/icons.js';
import { Confirm } from '../../parts/overlay/confirm.js';
import { toast } from '../../parts/overlay/toast.js';
import { KeepDialog } from '../keep/keep-dialog.js';
import { ReplayDialog } from '../replay/replay-dialog.js';

/** The actions on an execution: cancel it, run it again, delete its record. */
export function ExecutionActions({ execution }: { execution: ExecutionWithTrace }) {
  const { id, status, kind, flowId, resumes } = execution;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'cancel' | 'delete' | 'replay' | 'keep'>();
  const close = () => setAsking(undefined);
  const isActive = status === 'running' || status === 'waiting';
  const cancel = async () => {
    const { cancelled } = await post<{ cancelled: boolean }>(`executions/${segment(id)}/cancel`);
    toast(cancelled ? 'Cancelled.' : 'It had already ended.');
    await client.invalidateQueries({ queryKey: ['executions', id] });
  };
  const destroy = async () => {
    await remove(`executions/${segment(id)}`);
    client.removeQueries({ queryKey: ['executions'], type: 'inactive' });
    toast('Record deleted.');
    void navigate({ to: '/console/executions', replace: true });
  };
  return (
    <>
      {isActive && (
        <Button look="danger" icon={<StopIcon />} onPress={() => setAsking('cancel')}>
          Cancel
        </Button>
      )}
      {kind === 'prediction' && flowId !== null && resumes === undefined && (
        <Button icon={<RepeatIcon />} onPress={() => setAsking('replay')}>
          Run again
        </Button>
      )}
      {isKeepable(execution) && (
        <Button icon={<CompareIcon />} onPress={() => setAsking('keep')}>
          Keep as a case
        </Button>
      )}
      {!isActive && (
        <Button
          look="quiet"
          icon={<TrashIcon />}
          label="Delete the record"
          onPress={() => setAsking('delete')}
        />
      )}
      <Confirm
        title="Cancel this execution?"
        action="Cancel it"
        isOpen={asking === 'cancel'}
        onClose={close}
        onConfirm={cancel}
      >
        The run stops now and its caller gets an error. Work that its nodes have finished is not undone.
      </Confirm>
      <Confirm
        title="Delete this record?"
        action="Delete it"
        isOpen={asking === 'delete'}
        onClose={close}
        onConfirm={destroy}
      >
        The record and its trace are deleted permanently. Charges, photographs and reports stay.
      </Confirm>
      {flowId !== null && (
        <ReplayDialog execution={execution} flowId={flowId} isOpen={asking === 'replay'} onClose={close} />
      )}
      {flowId !== null && (
        <KeepDialog execution={execution} flowId={flowId} isOpen={asking === 'keep'} onClose={close} />
      )}
    </>
  );
}

/** Returns whether an execution ran as a whole, so that it can become a case. */
const isKeepable = ({ kind, flowName, status, replayOf, resumes }: ExecutionWithTrace): boolean =>
  kind === 'prediction' &&
  flowName !== null &&
  ['succeeded', 'failed', 'waiting'].includes(status) &&
  replayOf === undefined &&
  resumes === undefined;
