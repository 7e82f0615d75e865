import type { ExecutionWithTrace, NodeTrace } from '../../../../src/api/executions.js';
import { useKind } from '../../graph/kinds.js';
import { Button } from '../../parts/actions/button.js';
import { AlertIcon } from '../../parts/icons.js';
import { StatusTag } from '../../parts/values/status-tag.js';
import { Time } from '../../parts/values/time.js';
import { durationInWords, numberInWords } from '../../parts/words.js';
import { RecordedValue } from './recorded-value.js';
import './node-panel.css';

/** One run of a node: its outcome, input and output. */
export function NodePanel({
  execution,
  run,
  nodeId,
  onChoose,
}: {
  execution: ExecutionWithTrace;
  run: NodeTrace | undefined;
  nodeId: string | undefined;
  onChoose: (runId: string) => void;
}) {
  if (!run)
    return nodeId === undefined ? null : (
      <p className="value-none">This node was not reached by this execution ({nodeId}).</p>
    );
  const { label, kind, status, error, input, output } = run;
  return (
    <section className="node" aria-label={`Node ${label}`}>
      <div className="node-head">
        <h3>{label}</h3>
        <KindName kind={kind} />
        <StatusTag status={status} />
        <Attempts execution={execution} run={run} onChoose={onChoose} />
      </div>
      <p className="node-facts">
        <Facts run={run} />
      </p>
      {error !== undefined && (
        <p className="node-error">
          <AlertIcon />
          <span>{typeof error === 'string' ? error : error.message}</span>
        </p>
      )}
      <div className="node-values">
        <div>
          <h4>Input</h4>
          <RecordedValue key={run.runId} value={input} label={`input of ${label}`} />
        </div>
        <div>
          <h4>Output</h4>
          {output === null && status !== 'succeeded' ? (
            <p className="value-none">{status === 'running' ? 'Not yet.' : 'None.'}</p>
          ) : (
            <RecordedValue key={run.runId} value={output} label={`output of ${label}`} />
          )}
        </div>
      </div>
    </section>
  );
}

function Facts({ run: { nodeId, startedAt, durationMs, tokens, parent } }: { run: NodeTrace }) {
  const facts = [
    ...(durationMs === null ? [] : [durationInWords(durationMs)]),
    ...(tokens
      ? [`${numberInWords(tokens.inputTokens)} tokens in, ${numberInWords(tokens.outputTokens)} out`]
      : []),
    ...(parent === undefined ? [] : ['part of an iteration, loop, flow or agent']),
  ];
  return (
    <>
      <code>{nodeId}</code>, started <Time at={startedAt} />
      {facts.map((fact) => `, ${fact}`)}
    </>
  );
}

/** Steps through the runs of a node, which may run again in a loop, an iteration or after a failure. */
function Attempts({
  execution,
  run,
  onChoose,
}: {
  execution: ExecutionWithTrace;
  run: NodeTrace;
  onChoose: (runId: string) => void;
}) {
  const runs = execution.nodes.filter(({ nodeId }) => nodeId === run.nodeId);
  if (runs.length < 2) return null;
  const at = runs.indexOf(run);
  const [before, after] = [runs[at - 1], runs[at + 1]];
  return (
    <span className="node-attempts">
      <Button small isDisabled={!before} onPress={() => before && onChoose(before.runId)}>
        Previous run
      </Button>
      <span>{`run ${at + 1} of ${runs.length}`}</span>
      <Button small isDisabled={!after} onPress={() => after && onChoose(after.runId)}>
        Next run
      </Button>
    </span>
  );
}

const KindName = ({ kind }: { kind: string }) => <span className="node-kind">{useKind(kind).name}</span>;
