import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ExecutionWithTrace } from '../../../../src/api/executions.js';
import { post, remove, segment } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { RepeatIcon, StopIcon, TrashIcon } from '../../parts/icons.js';
import { Confirm } from '../../parts/overlay/confirm.js';
import { toast } from '../../parts/overlay/toast.js';
import { ReplayDialog } from '../replay/replay-dialog.js';

/** The actions on an execution: stop it while it runs, ask again, delete its record. */
export function ExecutionActions({ execution }: { execution: ExecutionWithTrace }) {
  const { id, status, kind, flowId } = execution;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'cancel' | 'delete' | 'replay'>();
  const close = () => setAsking(undefined);
  const goesOn = status === 'running' || status === 'waiting';
  const cancel = async () => {
    const { cancelled } = await post<{ cancelled: boolean }>(`executions/${segment(id)}/cancel`);
    toast(cancelled ? 'Cancelled.' : 'It had ended before.');
    await client.invalidateQueries({ queryKey: ['executions', id] });
  };
  const destroy = async () => {
    await remove(`executions/${segment(id)}`);
    client.removeQueries({ queryKey: ['executions'], type: 'inactive' });
    toast('The record is deleted.');
    void navigate({ to: '/console/executions', replace: true });
  };
  return (
    <>
      {goesOn && (
        <Button look="danger" icon={<StopIcon />} onPress={() => setAsking('cancel')}>
          Cancel
        </Button>
      )}
      {kind === 'prediction' && flowId !== null && (
        <Button icon={<RepeatIcon />} onPress={() => setAsking('replay')}>
          Ask again
        </Button>
      )}
      {!goesOn && (
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
        It stops where it is, and whoever called is told so. What its nodes have done by then stays done.
      </Confirm>
      <Confirm
        title="Delete this record?"
        action="Delete it"
        isOpen={asking === 'delete'}
        onClose={close}
        onConfirm={destroy}
      >
        The record and the trace of its nodes are gone for good. What was charged, photographed or rendered
        stays.
      </Confirm>
      {flowId !== null && (
        <ReplayDialog execution={execution} flowId={flowId} isOpen={asking === 'replay'} onClose={close} />
      )}
    </>
  );
}
