import type { ExecutionStatus } from '../../../../src/api/execution-terms.js';
import type { ExecutionWithTrace, NodeTrace } from '../../../../src/api/executions.js';
import { Button } from '../../parts/actions/button.js';
import { StatusTag } from '../../parts/values/status-tag.js';
import { durationInWords } from '../../parts/words.js';
import { RemedyOfExecution } from '../attention/remedy.js';
import { Elapsed } from '../elapsed.js';
import './verdict.css';
import { causeOf } from '../words.js';

const tones: Readonly<Record<ExecutionStatus, string>> = {
  failed: 'bad',
  rejected: 'warn',
  waiting: 'warn',
  aborted: 'still',
  running: 'busy',
  succeeded: 'good',
};

/** The outcome in one sentence, with a link to the node that decided it. */
export function Verdict({
  execution,
  telling,
  onShow,
}: {
  execution: ExecutionWithTrace;
  telling: NodeTrace | undefined;
  onShow: (runId: string) => void;
}) {
  const { status, failedNode } = execution;
  const node = status === 'failed' ? (failedNode?.label ?? blamed(telling)) : telling?.label;
  const shows = telling !== undefined && status !== 'succeeded';
  return (
    <section className={`verdict verdict-${tones[status]}`} aria-label="Outcome">
      <StatusTag status={status} />
      <p className="verdict-words">
        <Sentence execution={execution} node={node} />
      </p>
      {shows && (
        <Button small onPress={() => onShow(telling.runId)}>
          Show the node
        </Button>
      )}
      <RemedyOfExecution execution={execution} />
    </section>
  );
}

/** Returns the node to blame: none if the last run succeeded, since the run then failed as a whole. */
const blamed = (run: NodeTrace | undefined): string | undefined =>
  run?.status === 'succeeded' ? undefined : run?.label;

function Sentence({ execution, node }: { execution: ExecutionWithTrace; node: string | undefined }) {
  const { status, code, durationMs, startedAt } = execution;
  const cause = causeOf(execution) ?? '';
  switch (status) {
    case 'failed':
      return node === undefined ? (
        cause
      ) : (
        <>
          <strong>{node}</strong> {code === 'interrupted' ? 'was interrupted' : 'failed'}: {cause}
        </>
      );
    case 'rejected':
      return <>Refused before anything ran: {cause}</>;
    case 'aborted':
      return <>Stopped before it finished{cause === '' ? '.' : `: ${cause}`}</>;
    case 'waiting':
      return <>Waiting for approval{node === undefined ? '.' : ` at ${node}.`}</>;
    case 'running':
      return (
        <>
          Running for <Elapsed since={startedAt} />
          {node === undefined ? '.' : ', now at '}
          {node !== undefined && <strong>{node}</strong>}
        </>
      );
    default:
      return <>Done{durationMs === null ? '.' : ` in ${durationInWords(durationMs)}.`}</>;
  }
}
