import { useState } from 'react';
import type { ExecutionWithTrace, NodeTrace } from '../../../../src/api/executions.js';
import { useKind } from '../../graph/kinds.js';
import { Button } from '../../parts/actions/button.js';
import { AlertIcon, CheckIcon, ClockIcon, RunningIcon, StopIcon } from '../../parts/icons.js';
import { counted, durationInWords, numberInWords } from '../../parts/words.js';
import { type Bar, waterfallOf } from './waterfall.js';
import './waterfall-view.css';

const FIRST = 150;

/** The node runs as bars along the time axis. */
export function WaterfallView({
  execution,
  chosen,
  onChoose,
}: {
  execution: ExecutionWithTrace;
  chosen: string | undefined;
  onChoose: (runId: string) => void;
}) {
  const [shown, setShown] = useState(FIRST);
  const { bars, spanMs } = waterfallOf(execution, execution.nodes);
  const visible = bars.filter(
    ({ run }, index) => index < shown || run.status === 'failed' || run.runId === chosen,
  );
  return (
    <div className="waterfall">
      <p className="waterfall-scale" aria-hidden="true">
        <span>0</span>
        <span>{durationInWords(spanMs / 2)}</span>
        <span>{durationInWords(spanMs)}</span>
      </p>
      <ol>
        {visible.map((bar) => (
          <li key={bar.run.runId}>
            <RunButton bar={bar} isChosen={bar.run.runId === chosen} onChoose={onChoose} />
          </li>
        ))}
      </ol>
      {bars.length === 0 && <p className="value-none">No node has started.</p>}
      {visible.length < bars.length && (
        <p className="waterfall-more">
          {`${numberInWords(visible.length)} of ${counted(bars.length, 'run')}.`}
          <Button small onPress={() => setShown(shown + 500)}>
            Show more
          </Button>
        </p>
      )}
    </div>
  );
}

const signs: Readonly<Record<string, () => React.ReactNode>> = {
  running: RunningIcon,
  succeeded: CheckIcon,
  failed: AlertIcon,
  stopped: StopIcon,
  waiting: ClockIcon,
};

const statusOfRun = ({ status }: NodeTrace): string => (Object.hasOwn(signs, status) ? status : 'other');

function RunButton({
  bar: { run, depth, offset, width, durationMs },
  isChosen,
  onChoose,
}: {
  bar: Bar;
  isChosen: boolean;
  onChoose: (runId: string) => void;
}) {
  const kind = useKind(run.kind);
  const Sign = Object.hasOwn(signs, run.status) ? signs[run.status] : undefined;
  // Keep the narrow bar of an instant run visible at the end of the axis.
  const left = `min(${offset * 100}%, 100% - 3px)`;
  return (
    <button
      type="button"
      className={`run run-${statusOfRun(run)}`}
      aria-pressed={isChosen}
      onClick={() => onChoose(run.runId)}
    >
      <span className="run-name" style={{ paddingInlineStart: depth * 14 }}>
        <span className="run-kind" title={kind.name}>
          {kind.icon}
        </span>
        <span className="run-label">{run.label}</span>
        {run.attempt > 1 && <span className="run-attempt">{`run ${run.attempt}`}</span>}
      </span>
      <span className="run-track" aria-hidden="true">
        <span className="run-bar" style={{ left, width: `${width * 100}%` }} />
      </span>
      <span className="run-state">
        {Sign && <Sign />}
        <span className="hidden">{`, ${run.status} `}</span>
        <span className="duration">{durationInWords(durationMs)}</span>
      </span>
    </button>
  );
}
