import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, useSyncExternalStore } from 'react';
import type { ExecutionRecord } from '../../../../src/api/executions.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import { get } from '../../api/client.js';
import { runToEnd } from '../../api/follow-run.js';
import { warnBeforeUnload } from '../../api/warn-before-unload.js';
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
import { repeatable, RepeatedRuns, type SeveralRuns } from './repeated-runs.js';
import './run-several-dialog.css';

/** Executions that are offered at once. */
const MOST = 100;

const ignore = () => undefined;

/** The runs of this tab, each with the question, files, history and form of its execution. */
const repeated = new RepeatedRuns((source, begun) =>
  runToEnd(
    source.flowId!,
    { executionId: source.id },
    { begun, event: ignore, reconnecting: ignore },
    // Leaving the dialog cancels nothing: what has begun is charged and ends.
    new AbortController().signal,
  ),
);

warnBeforeUnload(() => repeated.snapshot()?.isOver === false);

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
  const several = useSyncExternalStore(repeated.subscribe, repeated.snapshot);
  const close = () => {
    repeated.forget();
    onClose();
  };
  return (
    <Dialog title="Run again" wide isOpen={isOpen} onClose={close}>
      {several ? <Runs several={several} onClose={close} /> : <RunSeveral search={search} onClose={close} />}
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
  if (page.isPending) return <Loading label="Loading the executions" lines={4} />;
  if (page.error) return <Problem error={page.error} onRetry={() => void page.refetch()} />;
  const offered = repeatable(page.data.data);
  if (offered.length === 0) return <p>No call that has ended and failed matches these filters.</p>;
  const chosen = offered.filter(({ id }) => !left.has(id));
  const choose = (id: string, isChosen: boolean) => {
    const others = [...left].filter((one) => one !== id);
    setLeft(new Set(isChosen ? others : [...others, id]));
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
        <Button look="primary" isDisabled={chosen.length === 0} onPress={() => void repeated.start(chosen)}>
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
  several: { runs, isStopped, isOver },
  onClose,
}: {
  several: SeveralRuns;
  onClose: () => void;
}) {
  const ended = runs.filter(({ state }) => state === 'ended');
  const succeeded = ended.filter(({ end }) => end?.execution?.status === 'succeeded').length;
  return (
    <div className="again">
      <p role="status">
        {isOver
          ? `${succeeded} of ${counted(runs.length, 'run')} succeeded.`
          : `${ended.length} of ${counted(runs.length, 'run')} ended.`}
      </p>
      {!isOver && <p>They continue when you close this. “Run again” shows them until all have ended.</p>}
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
          <Button look="danger" isDisabled={isStopped} onPress={repeated.stop}>
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
