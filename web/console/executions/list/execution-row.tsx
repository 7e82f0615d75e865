import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { ExecutionRecord } from '../../../../src/api/executions.js';
import { Duration } from '../../parts/values/duration.js';
import { StatusTag } from '../../parts/values/status-tag.js';
import { Time } from '../../parts/values/time.js';
import { Elapsed } from '../elapsed.js';
import { causeOf, executionKindName } from '../words.js';
import { leaveListFor, pathOf } from './list-place.js';

/** An execution in the list. Its second line gives the cause of a failure. The whole row is a link. */
export const ExecutionCells = memo(function ExecutionCells({ execution }: { execution: ExecutionRecord }) {
  const { id, kind, status, flowId, flowName, chatId, httpStatus, code, startedAt } = execution;
  return (
    <>
      <div role="gridcell" className="row-status">
        <StatusTag status={status} />
      </div>
      <div role="gridcell" className="row-when">
        <Link
          to="/console/executions/$id"
          params={{ id }}
          className="row-link"
          tabIndex={-1}
          draggable={false}
          onClick={() => leaveListFor(pathOf(id))}
        >
          <Time at={startedAt} />
        </Link>
        <span className="row-second">
          {status === 'running' ? <Elapsed since={startedAt} /> : <Duration ms={execution.durationMs} />}
        </span>
      </div>
      <div role="gridcell" className="row-chat" title={chatId ?? undefined}>
        {chatId === null ? (
          <span className="row-none">no chat</span>
        ) : (
          <span className="row-id">{chatId}</span>
        )}
      </div>
      <div role="gridcell" className="row-flow" title={flowName ?? flowId ?? undefined}>
        <span>{flowName ?? flowId ?? 'no flow'}</span>
        <span className={`row-second row-${kind}`}>{executionKindName(kind)}</span>
      </div>
      <div role="gridcell" className="row-what">
        <What execution={execution} />
      </div>
      <div role="gridcell" className="row-http">
        <span className="number">{httpStatus ?? '–'}</span>
        {code !== undefined && (
          <span className="row-second row-code" title={code}>
            {code}
          </span>
        )}
      </div>
    </>
  );
});

/** The question, and below it the answer or the cause of a failure. */
function What({ execution }: { execution: ExecutionRecord }) {
  const { question, answer, failedNode, status } = execution;
  const cause = causeOf(execution);
  return (
    <>
      <span>{question === undefined || question === '' ? '–' : question}</span>
      {cause !== undefined ? (
        <span className={status === 'failed' ? 'row-cause row-failed' : 'row-cause'} title={cause}>
          {failedNode && <strong>{failedNode.label}: </strong>}
          {cause}
        </span>
      ) : (
        <span className="row-second">{answer ?? ''}</span>
      )}
    </>
  );
}
