import { useEffect, useRef } from 'react';
import type { RenderAnswerView, RenderProgressView } from '../../../../src/api/reports.js';
import { ApiError } from '../../api/api-error.js';
import { Problem } from '../../parts/waiting/problem.js';
import { serviceAreaName } from '../photographs/service-areas.js';
import './render-outcome.css';
import { ReportCard } from './past/report-card.js';
import type { RenderState } from './render-run.js';

/** The progress of the render, then its outcome. */
export function RenderOutcome({
  state,
  missing,
  onAgain,
}: {
  state: RenderState;
  missing: readonly string[];
  onAgain: () => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(state.at);
  useEffect(() => {
    if (shown.current !== state.at) place.current?.scrollIntoView({ block: 'nearest' });
    shown.current = state.at;
  }, [state.at]);
  return (
    <div ref={place} className={state.at === 'idle' ? 'render-idle' : 'render-outcome'}>
      <div role="status">
        {state.at === 'asking' && <Drawing progress={{ phase: 'waiting' }} />}
        {state.at === 'drawing' && <Drawing progress={state.progress} />}
        {state.at === 'done' && !state.answer.file && <Nothing answer={state.answer} />}
        {state.at === 'done' && state.answer.file && (
          <p className="hidden">The {state.answer.preview ? 'preview' : 'report'} is ready.</p>
        )}
      </div>
      {state.at === 'done' && state.answer.file && <ReportCard answer={state.answer} />}
      {state.at === 'failed' && (
        <>
          <Problem error={inThisPage(state.error, missing)} onRetry={onAgain} />
          <p className="render-advice">{adviceOn(state.error, missing)}</p>
        </>
      )}
    </div>
  );
}

/** The progress of a report. */
export function Drawing({ progress }: { progress: RenderProgressView }) {
  const drawing = progress.phase === 'drawing' && progress.pages > 0 ? progress : undefined;
  return (
    <div className="render-progress">
      <p>{drawing ? `Drawing page ${drawing.page} of ${drawing.pages}…` : 'Waiting in the queue…'}</p>
      <progress
        aria-label="The report"
        max={100}
        {...(drawing ? { value: Math.round((drawing.page / drawing.pages) * 100) } : {})}
      />
    </div>
  );
}

function Nothing({ answer }: { answer: Extract<RenderAnswerView, { file: null }> }) {
  if (answer.reason === 'render_in_progress')
    return (
      <p className="render-nothing">A report of this inspection is being created. It will appear below.</p>
    );
  return (
    <p className="render-nothing">
      There are no new photographs, so no report was created.{' '}
      {answer.previousReports.length > 0
        ? 'Every photograph is in one of the reports below. Add photographs to create another.'
        : 'Add photographs first. A report needs at least one.'}
    </p>
  );
}

/** Rewords an error whose sentence names members of the body, for a page with checkboxes. */
function inThisPage(error: unknown, missing: readonly string[]): unknown {
  if (!(error instanceof ApiError) || error.code !== 'incomplete_inspection') return error;
  const names = missing.map(serviceAreaName).join(', ');
  const sentence = `Outstanding${names === '' ? '' : `: ${names}`}. You chose to create the report only when it is complete.`;
  return new ApiError(error.status, error.code, sentence, [], error.executionId);
}

/** Returns the next step on this page, which the service's sentence cannot name. */
function adviceOn(error: unknown, missing: readonly string[]): string {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'incomplete_inspection')
    return `Photograph ${missing.map(serviceAreaName).join(', ') || 'what is outstanding'}, tick what is not available, or choose “Create it anyway”. No photograph was claimed.`;
  if (code === 'invalid_api_key') return 'Enter the flow’s key above, then render again.';
  if (code === 'invalid_admin_key')
    return 'Try again to enter it. A report that is being created continues, and is not created twice.';
  if (code === 'unreachable') return 'Nothing is lost. Try again: the same report is not created twice.';
  return 'Your entries are still here, and no photograph was claimed.';
}
