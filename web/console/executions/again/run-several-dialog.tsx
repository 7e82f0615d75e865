import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { ExecutionRecord } from '../../../../src/api/executions.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import { get } from '../../api/client.js';
import { runToEnd } from '../../api/follow-run.js';
import { Button } from '../../parts/actions/button.js';
import { Checkbox } from '../../parts/entry/checkbox.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { StatusTag } from '../../parts/values/status-tag.js';
import { Time } from '../../parts/values/time.js';
import { Loading } from '../../parts/waiting/loading.js';
import { Problem } from '../../parts/waiting/problem.js';
import { counted } from '../../parts/words.js';
import type { ExecutionsSearch } from '../../search.js';
import { causeOf } from '../words.js';
import { repeatable, type Run, type RunAgain, runSeveral } from './run-several.js';
import './run-several-dialog.css';

/** Executions that are offered at once. */
const MOST = 100;

const ignore = () => undefined;

/** Runs a flow with the question, files, history and form of an execution. */
const runAgain: Run = (source, begun) =>
  runToEnd(
    source.flowId!,
    { executionId: source.id },
    { begun, event: ignore, reconnecting: ignore },
    // Leaving the dialog cancels nothing: what has begun is charged and ends.
    new AbortController().signal,
  );

/** Runs several executions that match the filters again; without a status among these, the failed ones. */
export function RunSeveralDialog({
  search,
  isOpen,
  onClose,
}: {
  search: ExecutionsSearch;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog title="Run again" wide isOpen={isOpen} onClose={onClose}>
      <RunSeveral search={search} onClose={onClose} />
    </Dialog>
  );
}

function RunSeveral({ search, onClose }: { search: ExecutionsSearch; onClose: () => void }) {
  const query = { status: 'failed', ...search, kind: 'prediction', limit: MOST } as const;
  const page = useQuery({
    queryKey: ['executions', 'again', query],
    queryFn: ({ signal }) => get<PageOf<ExecutionRecord>>('executions', { query, signal }),
    staleTime: Infinity,
    gcTime: 0,
  });
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [runs, setRuns] = useState<readonly RunAgain[]>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  if (page.isPending) return <Loading label="Loading the executions" lines={4} />;
  if (page.error) return <Problem error={page.error} onRetry={() => void page.refetch()} />;
  const offered = repeatable(page.data.data);
  if (offered.length === 0) return <p>No call that has ended and failed matches these filters.</p>;
  if (runs) return <Runs runs={runs} onStop={() => stop.current?.abort()} onClose={onClose} />;
  const chosen = offered.filter(({ id }) => !left.has(id));
  const choose = (id: string, isChosen: boolean) => {
    const others = [...left].filter((one) => one !== id);
    setLeft(new Set(isChosen ? others : [...others, id]));
  };
  const start = () => {
    stop.current = new AbortController();
    void runSeveral(chosen, runAgain, setRuns, stop.current.signal);
  };
  return (
    <div className="again">
      <p>
        Each is run with its question, files, history and form, in a new chat, by the published flow. Each is
        charged at the price of its flow, and the flow repeats everything it does.
        {page.data.nextCursor !== null && ` These are the newest ${MOST}.`}
      </p>
      <Checkbox
        isSelected={chosen.length === offered.length}
        onChange={(all) => setLeft(new Set(all ? [] : offered.map(({ id }) => id)))}
      >
        All
      </Checkbox>
      <ul className="again-list" aria-label="Executions">
        {offered.map((execution) => (
          <li key={execution.id}>
            <Checkbox
              isSelected={!left.has(execution.id)}
              onChange={(isChosen) => choose(execution.id, isChosen)}
            >
              <Source execution={execution} />
            </Checkbox>
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button look="primary" isDisabled={chosen.length === 0} onPress={start}>
          {`Run ${counted(chosen.length, 'execution')}`}
        </Button>
      </div>
    </div>
  );
}

function Source({ execution }: { execution: ExecutionRecord }) {
  return (
    <span className="again-source">
      <strong>{execution.question || 'No question'}</strong>
      <span>
        {execution.flowName ?? execution.flowId}, <Time at={execution.startedAt} />
      </span>
      <span className="again-cause">{causeOf(execution)}</span>
    </span>
  );
}

function Runs({
  runs,
  onStop,
  onClose,
}: {
  runs: readonly RunAgain[];
  onStop: () => void;
  onClose: () => void;
}) {
  const [isStopped, setStopped] = useState(false);
  const ended = runs.filter(({ state }) => state === 'ended');
  const succeeded = ended.filter(({ end }) => end?.execution?.status === 'succeeded').length;
  const isOver = isStopped ? !runs.some(({ state }) => state === 'running') : ended.length === runs.length;
  return (
    <div className="again">
      <p role="status">
        {isOver
          ? `${succeeded} of ${counted(runs.length, 'run')} succeeded.`
          : `${ended.length} of ${counted(runs.length, 'run')} ended.`}
      </p>
      <ul className="again-list" aria-label="Runs">
        {runs.map(({ source, state, executionId, end }) => (
          <li key={source.id} className="again-run">
            <Source execution={source} />
            <span className="again-state">
              {state === 'waiting' ? (
                <span className="again-cause">{isStopped ? 'Not run' : 'Waiting'}</span>
              ) : (
                <StatusTag status={end ? (end.execution?.status ?? 'failed') : 'running'} />
              )}
              {executionId !== undefined && (
                <Link to="/console/executions/$id" params={{ id: executionId }}>
                  Open
                </Link>
              )}
            </span>
            {end?.execution === undefined && end?.error !== undefined && <Problem error={end.error} />}
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        {!isOver && (
          <Button
            look="danger"
            isDisabled={isStopped}
            onPress={() => {
              setStopped(true);
              onStop();
            }}
          >
            Start no more
          </Button>
        )}
        <Button look="primary" onPress={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}
