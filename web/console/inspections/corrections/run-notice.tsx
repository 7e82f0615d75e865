import { Button } from '../../parts/actions/button.js';
import { AlertIcon, CheckIcon, CloseIcon } from '../../parts/icons.js';
import { counted } from '../../parts/words.js';
import type { CorrectionRun, RunState } from './correction-run.js';
import './run-notice.css';
import { useRunState } from './use-corrections.js';

/** Batches of up to this many steps finish too fast to show progress. */
const FEW = 3;
const MOST_SHOWN = 100;

/** The progress of the corrections, then what was done and what failed. */
export function RunNotice({ run }: { run: CorrectionRun }) {
  const { running, outcome } = useRunState(run);
  const slow = running && (running.total > FEW || running.waitMs !== undefined);
  return (
    <>
      <div role="status">{slow && <Running {...running} />}</div>
      <div role="status">{!running && outcome && <Outcome run={run} outcome={outcome} />}</div>
    </>
  );
}

function Running({ done, total, waitMs }: NonNullable<RunState['running']>) {
  return (
    <div className="run-notice">
      <progress className="run-progress" max={total} value={done} aria-label="Corrections" />
      <p>
        {waitMs === undefined
          ? `${done} of ${total} done`
          : `${done} of ${total} done. The rest continues in ${Math.ceil(waitMs / 1_000)} s.`}
      </p>
    </div>
  );
}

function Outcome({ run, outcome }: { run: CorrectionRun; outcome: NonNullable<RunState['outcome']> }) {
  const { summary, failed, undo } = outcome;
  return (
    <div className={failed.length > 0 ? 'run-notice run-notice-failed' : 'run-notice'}>
      {failed.length > 0 ? <AlertIcon /> : <CheckIcon />}
      <div className="run-words">
        {summary !== '' && <p>{summary}.</p>}
        {failed.length > 0 && (
          <>
            <p>{`${counted(failed.length, 'correction was', 'corrections were')} not made:`}</p>
            <ul>
              {failed.slice(0, MOST_SHOWN).map(({ step, sentence }, index) => (
                <li key={index}>
                  <strong>{step.name}:</strong> {sentence}
                </li>
              ))}
              {failed.length > MOST_SHOWN && <li>and {failed.length - MOST_SHOWN} more</li>}
            </ul>
          </>
        )}
      </div>
      {failed.some(({ again }) => again) && (
        <Button small onPress={run.retry}>
          Try again
        </Button>
      )}
      {undo && (
        <Button small onPress={run.undo}>
          Undo
        </Button>
      )}
      <Button small look="quiet" label="Dismiss" icon={<CloseIcon />} onPress={run.dismiss} />
    </div>
  );
}
