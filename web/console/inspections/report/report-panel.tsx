import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Session } from '../../../../src/api/inspections.js';
import { ApiError } from '../../api/api-error.js';
import { get } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { ReportIcon } from '../../parts/icons.js';
import { Problem } from '../../parts/waiting/problem.js';
import { counted } from '../../parts/words.js';
import { FlowKeyField } from '../flow-key-field.js';
import { serviceAreaName } from '../photographs/service-areas.js';
import type { Place } from '../place.js';
import type { useReports } from '../use-reports.js';
import { CoverLine } from './cover/cover-line.js';
import { DetailsForm } from './details-form.js';
import { faultsOf, missingAreas, renderBody } from './draft.js';
import { OutstandingForm } from './outstanding-form.js';
import { PastReports } from './past/past-reports.js';
import { clearedOf } from './record.js';
import { RenderOutcome } from './render-outcome.js';
import { useRender } from './renders.js';
import { sizeFaultIn } from './size-fault.js';
import './report-panel.css';
import { useDraft } from './use-draft.js';

interface ReportPanelProps {
  place: Place;
  session: Session | undefined;
  reports: ReturnType<typeof useReports>;
  onRendered: () => void;
}

/** The report's form, its buttons, and the existing reports. */
export function ReportPanel({ place, session, reports, onRendered }: ReportPanelProps) {
  const { draft, changes, change, record, saving, isSaved, save } = useDraft(place);
  const [render, start] = useRender(place);
  const [faulty, setFaulty] = useState(false);
  const [previewed, setPreviewed] = useState(false);
  const [sentSize, setSentSize] = useState('');
  const mail = useMail();
  const client = useQueryClient();
  const faults = faultsOf(draft);
  // Without the record, the form would replace what it does not show.
  const isUnknown = record.data === undefined;
  const isPending = render.at === 'asking' || render.at === 'drawing';
  const before = useRef(render.at);
  useEffect(() => {
    if (before.current !== render.at && (render.at === 'done' || render.at === 'failed')) {
      void client.invalidateQueries({ queryKey: ['reports'] });
      void client.invalidateQueries({ queryKey: ['inspection', 'details'] });
      onRendered();
    }
    before.current = render.at;
  }, [render.at, client, onRendered]);
  const ask = (preview: boolean) => {
    setPreviewed(preview);
    const wrong = Object.keys(faults).length > 0;
    setFaulty(wrong);
    if (wrong || isUnknown) return;
    setSentSize(draft.maxMegabytes);
    const commentsOfRecord = changes.comments === undefined;
    const cleared = clearedOf(draft, changes);
    start(renderBody(place, draft, { mail: mail && !preview, cleared, commentsOfRecord, preview }));
  };
  const saveDetails = () => {
    const wrong = Object.keys(faults).length > 0;
    setFaulty(wrong);
    if (!wrong) save();
  };
  const missing = missingAreas(draft, session?.outstandingAreas ?? []);
  return (
    <div className="report">
      <form
        className="report-form"
        onSubmit={(event) => {
          event.preventDefault();
          ask(false);
        }}
      >
        <DetailsForm
          sessionId={place.sessionId}
          draft={draft}
          onChange={change}
          areas={session?.areas.map(({ area }) => area) ?? []}
          faults={{
            ...(sentSize === draft.maxMegabytes && render.at === 'failed' ? sizeRefused(render.error) : {}),
            ...(faulty ? faults : {}),
          }}
          mail={mail}
        />
        <OutstandingForm draft={draft} onChange={change} outstanding={session?.outstandingAreas ?? []} />
        {(record.error ?? saving.error) && (
          <Problem
            error={record.error ?? saving.error}
            onRetry={() => (record.error ? void record.refetch() : save())}
          />
        )}
        <div className="report-go">
          <p role="status">
            {isSaved ? (record.data?.updatedAt ? 'Details saved.' : '') : 'Details not saved yet.'}
          </p>
          <Button isPending={saving.isPending} isDisabled={isSaved || isUnknown} onPress={saveDetails}>
            Save details
          </Button>
        </div>
        <CoverLine draft={draft} record={record.data} pending={session?.pending ?? 0} />
        <div className="report-go">
          <p>{inWords(session, missing)}</p>
          <Button isPending={isPending} isDisabled={isUnknown} onPress={() => ask(true)}>
            Preview
          </Button>
          <Button
            look="primary"
            type="submit"
            icon={<ReportIcon />}
            isPending={isPending}
            isDisabled={isUnknown}
          >
            Render the report
          </Button>
        </div>
      </form>
      <div className="report-side">
        <FlowKeyField place={place} refused={isRefused(render)} />
        <RenderOutcome state={render} missing={missing} onAgain={() => ask(previewed)} />
        <PastReports reports={reports} session={session} />
      </div>
    </div>
  );
}

function inWords(session: Session | undefined, missing: readonly string[]): string {
  const pending = session?.pending ?? 0;
  if (pending === 0) return 'There are no new photographs.';
  const names = missing.map(serviceAreaName).join(', ');
  return `${counted(pending, 'photograph')} will go into the report.${names === '' ? '' : ` Outstanding: ${names}.`}`;
}

/** Returns the service’s fault about the file size, for its field. */
function sizeRefused(error: unknown): { maxMegabytes?: string } {
  const sentence = sizeFaultIn(error);
  return sentence === undefined ? {} : { maxMegabytes: sentence };
}

const isRefused = (render: ReturnType<typeof useRender>[0]): boolean =>
  render.at === 'failed' && render.error instanceof ApiError && render.error.code === 'invalid_api_key';

function useMail(): boolean {
  const { data } = useQuery({
    queryKey: ['delivery'],
    queryFn: ({ signal }) => get<{ email: boolean }>('pdf/delivery', { signal }),
    staleTime: Infinity,
  });
  return data?.email === true;
}
