import { Link } from '@tanstack/react-router';
import type { Approval, ExecutionWithTrace } from '../../../../src/api/executions.js';
import { Time } from '../../parts/values/time.js';
import { ValueView } from '../../parts/values/value-view.js';
import { Caller } from '../caller.js';
import './approvals.css';
import { Decide } from './decide.js';

/** The approvals of a run: who decided each, when and how, and the one that is still open. */
export function Approvals({ execution }: { execution: ExecutionWithTrace }) {
  const { approvals = [] } = execution;
  if (approvals.length === 0) return null;
  return (
    <section className="approvals" aria-label="Approvals">
      <h2>Approvals</h2>
      <ol>
        {approvals.map((approval) => (
          <li key={approval.name}>
            <OneApproval execution={execution} approval={approval} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function OneApproval({ execution, approval }: { execution: ExecutionWithTrace; approval: Approval }) {
  const { text, nodeLabel, askedAt, action } = approval;
  return (
    <>
      <p className="approval-question">{text}</p>
      {(action.data.input?.calls ?? []).map(({ tool, arguments: given }, index) => (
        <figure key={index} className="approval-call">
          <figcaption>{tool}</figcaption>
          <ValueView value={given} label={`arguments of ${tool}`} />
        </figure>
      ))}
      <p className="approval-note">
        Asked by {nodeLabel} <Time at={askedAt} form="long" />
      </p>
      {approval.decision === undefined ? (
        <Decide execution={execution} approval={approval} />
      ) : (
        <Decided approval={approval} />
      )}
    </>
  );
}

const words: Readonly<Record<NonNullable<Approval['decision']>, string>> = {
  proceed: 'Approved',
  reject: 'Rejected',
  expired: 'No answer in time',
  cancelled: 'Cancelled with the run',
  flow_deleted: 'Ended with its flow',
};

function Decided({ approval: { decision, feedback, decidedAt, decidedBy, by } }: { approval: Approval }) {
  return (
    <p className="approval-note">
      <strong className={`approval-${decision}`}>{words[decision!]}</strong>
      {feedback !== undefined && <q>{feedback}</q>}
      {decidedAt !== undefined && <Time at={decidedAt} form="long" />}
      {by !== undefined && <Caller caller={by} />}
      {decidedBy !== undefined && (
        <Link to="/console/executions/$id" params={{ id: decidedBy }}>
          The call
        </Link>
      )}
    </p>
  );
}
