import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClickType } from '../../../../src/api/execution-terms.js';
import type { Approval, ExecutionWithTrace } from '../../../../src/api/executions.js';
import { post, segment } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { Field } from '../../parts/entry/field.js';
import { toast } from '../../parts/overlay/toast.js';
import { Time } from '../../parts/values/time.js';

interface DecideProps {
  execution: ExecutionWithTrace;
  approval: Approval;
}

/** Answers the open approval. If there are several answers, the first one counts. */
export function Decide({ execution, approval: { name, expiresAt, action } }: DecideProps) {
  const { id, flowId, chatId } = execution;
  const client = useQueryClient();
  const [words, setWords] = useState('');
  const [busy, setBusy] = useState<ClickType>();
  const [fault, setFault] = useState<string>();
  if (flowId === null || chatId === null) return null;
  const takesWords = action.data.input?.humanInputEnableFeedback === true;
  const decide = async (type: ClickType) => {
    setBusy(type);
    setFault(undefined);
    const feedback = words.trim() === '' ? {} : { feedback: words.trim() };
    try {
      await post(`flows/${segment(flowId)}/run`, {
        chatId,
        humanInput: { type, startNodeId: name, ...feedback },
      });
      toast(type === 'proceed' ? 'Approved.' : 'Rejected.');
    } catch (error) {
      setFault((error as Error).message);
    }
    // Until the page shows the decision, the other button stays disabled.
    await client.invalidateQueries({ queryKey: ['executions', id] });
    setBusy(undefined);
  };
  return (
    <div className="approval-decide">
      {takesWords && (
        <Field label="Comment (optional)" value={words} onChange={setWords} maxLength={65_536} />
      )}
      <div className="approval-buttons">
        <Button
          look="primary"
          isPending={busy === 'proceed'}
          isDisabled={busy === 'reject'}
          onPress={() => void decide('proceed')}
        >
          Proceed
        </Button>
        <Button
          isPending={busy === 'reject'}
          isDisabled={busy === 'proceed'}
          onPress={() => void decide('reject')}
        >
          Reject
        </Button>
        <span className="approval-note">
          Waits until <Time at={expiresAt} form="long" />
        </span>
      </div>
      {fault !== undefined && (
        <p role="alert" className="approval-fault">
          {fault}
        </p>
      )}
    </div>
  );
}
