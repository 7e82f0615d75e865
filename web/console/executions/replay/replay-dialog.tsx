import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ExecutionWithTrace } from '../../../../src/api/executions.js';
import type { FlowView } from '../../../../src/api/flows.js';
import { get, post, segment } from '../../api/client.js';
import { FlowGraph } from '../../graph/flow-graph.js';
import { Button } from '../../parts/actions/button.js';
import { Checkbox } from '../../parts/entry/checkbox.js';
import { Field } from '../../parts/entry/field.js';
import { StopIcon } from '../../parts/icons.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { StatusTag } from '../../parts/values/status-tag.js';
import { Problem } from '../../parts/waiting/problem.js';
import { Reconnecting } from '../../parts/waiting/reconnecting.js';
import { counted } from '../../parts/words.js';
import './replay-dialog.css';
import { causeOf } from '../words.js';
import { type Replay, type ReplayBody, useReplay } from './replay.js';

interface ReplayProps {
  execution: ExecutionWithTrace;
  flowId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Runs the flow again with an editable question, and shows the answer as it arrives. */
export function ReplayDialog({ isOpen, onClose, ...rest }: ReplayProps) {
  const { replay, ask, forget } = useReplay(rest.flowId);
  const close = () => {
    if (replay?.state === 'running' && replay.executionId !== undefined) void stop(replay.executionId);
    forget();
    onClose();
  };
  return (
    <Dialog title="Run again" wide isOpen={isOpen} onClose={close}>
      <ReplayForm {...rest} replay={replay} onAsk={ask} onClose={close} />
    </Dialog>
  );
}

const stop = (id: string): Promise<unknown> =>
  post(`executions/${segment(id)}/cancel`).catch(() => undefined);

function ReplayForm({
  execution,
  flowId,
  replay,
  onAsk,
  onClose,
}: Omit<ReplayProps, 'isOpen'> & {
  replay: Replay | undefined;
  onAsk: (body: ReplayBody) => Promise<void>;
}) {
  const [question, setQuestion] = useState(execution.question ?? '');
  const [sameChat, setSameChat] = useState(false);
  const [onDraft, setOnDraft] = useState(false);
  const { chatId } = execution;
  const flow = useQuery({
    queryKey: ['flows', flowId],
    queryFn: ({ signal }) => get<FlowView>(`flows/${segment(flowId)}`, { signal }),
    staleTime: 30_000,
  });
  const isRunning = replay?.state === 'running';
  const hasDraft = flow.data?.draft === true;
  const version = onDraft && hasDraft ? 'draft' : undefined;
  const ask = () =>
    onAsk({
      question,
      executionId: execution.id,
      ...(version && { version }),
      ...(sameChat && chatId !== null && { chatId }),
    });
  return (
    <div className="replay">
      <Field
        label="Question"
        rows={4}
        value={question}
        onChange={setQuestion}
        hint="The files, form and history of the first call are sent again, as far as they are still stored."
      />
      {chatId !== null && (
        <Checkbox isSelected={sameChat} onChange={setSameChat}>
          {`In the same chat, ${chatId}. The flow sees its history and adds to it`}
        </Checkbox>
      )}
      {hasDraft && (
        <Checkbox isSelected={onDraft} onChange={setOnDraft}>
          {`On the draft instead of version ${flow.data?.version}, which is published`}
        </Checkbox>
      )}
      <p className="replay-price">
        {flow.data && flow.data.price === 0
          ? 'This run is free.'
          : flow.data
            ? `This run costs ${counted(flow.data.price, 'credit')}, charged to “${flow.data.account}”.`
            : 'This run is charged at the flow’s price.'}
        {!sameChat && ' It starts a new chat.'} The flow repeats everything it does.
      </p>
      {flow.error && <Problem error={flow.error} />}
      {replay && <Outcome replay={replay} flow={flow.data} onClose={onClose} />}
      <div className="dialog-actions">
        {isRunning && replay.executionId !== undefined && (
          <Button look="danger" icon={<StopIcon />} onPress={() => void stop(replay.executionId!)}>
            Stop
          </Button>
        )}
        <Button
          look="primary"
          isPending={isRunning}
          isDisabled={question.trim() === '' && execution.question !== ''}
          onPress={() => void ask()}
        >
          {isRunning ? 'Running' : replay ? 'Run once more' : 'Run'}
        </Button>
      </div>
    </div>
  );
}

function Outcome({
  replay,
  flow,
  onClose,
}: {
  replay: Replay;
  flow: FlowView | undefined;
  onClose: () => void;
}) {
  const { execution, answer, executionId, state, reconnecting, error, nodes } = replay;
  const cause = execution && causeOf(execution);
  return (
    <div className="replay-outcome">
      {flow && (
        <div className="replay-picture">
          <FlowGraph definition={flow} nodeStates={nodes} label="The flow as it runs" />
        </div>
      )}
      <div className="replay-head">
        {reconnecting ? (
          <Reconnecting />
        ) : (
          <StatusTag status={execution?.status ?? (state === 'running' ? 'running' : 'failed')} />
        )}
        {execution?.flowVersion !== undefined && (
          <span>{execution.flowVersion === 'draft' ? 'Draft' : `Version ${execution.flowVersion}`}</span>
        )}
        {executionId !== undefined && (
          <Link to="/console/executions/$id" params={{ id: executionId }} onClick={onClose}>
            Open this execution
          </Link>
        )}
      </div>
      {error !== undefined && <Problem error={error} />}
      {cause !== undefined && (
        <p className="replay-cause">
          {execution?.failedNode && <strong>{execution.failedNode.label}: </strong>}
          {cause}
        </p>
      )}
      {answer !== '' && (
        <div className="replay-answer" role="region" aria-label="Answer" tabIndex={0}>
          {answer}
        </div>
      )}
      <span className="hidden" role="status">
        {state === 'done' ? 'The run has ended.' : reconnecting ? 'Connection lost.' : 'The flow is running.'}
      </span>
    </div>
  );
}
