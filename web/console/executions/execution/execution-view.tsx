import { useCallback, useMemo, useRef, useState } from 'react';
import type { ExecutionWithTrace } from '../../../../src/api/executions.js';
import { Approvals } from '../approvals/approvals.js';
import { useKeys } from '../keys/use-keys.js';
import { ExecutionFacts } from './execution-facts.js';
import { FlowPicture } from './flow-picture.js';
import { NodePanel } from './node-panel.js';
import { QuestionAndAnswer } from './question-and-answer.js';
import './execution-view.css';
import { RelatedExecutions } from './related-executions.js';
import { Verdict } from './verdict.js';
import { WaterfallView } from './waterfall-view.js';
import { tellingRun } from './waterfall.js';

/** The selection: a run, or a node that was not reached. */
type Chosen = { runId: string } | { nodeId: string };

/** An execution with its trace; a panel shows one of its runs in detail. */
export function ExecutionView({ execution }: { execution: ExecutionWithTrace }) {
  const { nodes } = execution;
  const telling = useMemo(() => tellingRun(execution, nodes), [execution, nodes]);
  const [chosen, setChosen] = useState<Chosen>();
  const panel = useRef<HTMLDivElement>(null);
  const run =
    chosen === undefined
      ? telling
      : 'runId' in chosen
        ? nodes.find(({ runId }) => runId === chosen.runId)
        : undefined;
  const nodeId = run?.nodeId ?? (chosen && 'nodeId' in chosen ? chosen.nodeId : undefined);
  const chooseRun = useCallback((runId: string) => setChosen({ runId }), []);
  const chooseNode = useCallback(
    (wanted: string) => {
      const latest = nodes.findLast((one) => one.nodeId === wanted);
      setChosen(latest ? { runId: latest.runId } : { nodeId: wanted });
    },
    [nodes],
  );
  const step = (by: number) => (event: KeyboardEvent) => {
    event.preventDefault();
    const at = nodes.findIndex(({ runId }) => runId === run?.runId);
    const next = nodes[Math.min(nodes.length - 1, Math.max(0, at + by))];
    if (next) chooseRun(next.runId);
  };
  useKeys({ j: step(1), k: step(-1) });
  const show = (runId: string) => {
    chooseRun(runId);
    panel.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
    panel.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <Verdict execution={execution} telling={telling} onShow={show} />
      <ExecutionFacts execution={execution} />
      <Approvals execution={execution} />
      <QuestionAndAnswer execution={execution} />
      {(nodes.length > 0 || execution.status === 'running') && (
        <section className="trace" aria-label="What ran">
          <h2>What ran</h2>
          <div className="trace-views">
            <WaterfallView execution={execution} chosen={run?.runId} onChoose={chooseRun} />
            <FlowPicture execution={execution} selected={nodeId} onSelect={chooseNode} />
          </div>
          <div ref={panel} tabIndex={-1} className="trace-panel">
            <NodePanel execution={execution} run={run} nodeId={nodeId} onChoose={chooseRun} />
          </div>
        </section>
      )}
      <RelatedExecutions execution={execution} />
    </>
  );
}
