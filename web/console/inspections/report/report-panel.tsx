import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.js';
import { get } from '../../api/client.js';
import type { Session } from '../../api/types/inspections.js';
import { Button } from '../../parts/button.js';
import { ReportIcon } from '../../parts/icons.js';
import { counted } from '../../parts/words.js';
import { FlowKeyField } from '../flow-key-field.js';
import type { Place } from '../place.js';
import { serviceAreaName } from '../service-areas.js';
import type { useReports } from '../use-reports.js';
import { faultsOf, missingAreas, renderBody } from './draft.js';
import { DetailsForm } from './details-form.js';
import { OutstandingForm } from './outstanding-form.js';
import { PastReports } from './past-reports.js';
import { RenderOutcome } from './render-outcome.js';
import { useRender } from './renders.js';
import './report-panel.css';
import { useDraft } from './use-draft.js';

interface ReportPanelProps {
  place: Place;
  session: Session | undefined;
  reports: ReturnType<typeof useReports>;
  onRendered: () => void;
}

/** What the report says besides the photographs, making it, and those that were made. */
export function ReportPanel({ place, session, reports, onRendered }: ReportPanelProps) {
  const [draft, change] = useDraft(place);
  const [render, start] = useRender(place);
  const [faulty, setFaulty] = useState(false);
  const mail = useMail();
  const client = useQueryClient();
  const faults = faultsOf(draft);
  const isPending = render.at === 'asking' || render.at === 'drawing';
  const before = useRef(render.at);
  useEffect(() => {
    if (before.current !== render.at && (render.at === 'done' || render.at === 'failed')) {
      void client.invalidateQueries({ queryKey: ['reports'] });
      onRendered();
    }
    before.current = render.at;
  }, [render.at, client, onRendered]);
  const ask = () => {
    const wrong = Object.keys(faults).length > 0;
    setFaulty(wrong);
    if (!wrong) start(renderBody(place, draft, { mail }));
  };
  const missing = missingAreas(draft, session?.outstandingAreas ?? []);
  return (
    <div className="report">
      <form
        className="report-form"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <DetailsForm
          draft={draft}
          onChange={change}
          areas={session?.areas.map(({ area }) => area) ?? []}
          faults={faulty ? faults : {}}
          mail={mail}
        />
        <OutstandingForm draft={draft} onChange={change} outstanding={session?.outstandingAreas ?? []} />
        <div className="report-go">
          <p>{inWords(session, missing)}</p>
          <Button look="primary" type="submit" icon={<ReportIcon />} isPending={isPending}>
            Render the report
          </Button>
        </div>
      </form>
      <div className="report-side">
        <FlowKeyField place={place} refused={isRefused(render)} />
        <RenderOutcome state={render} missing={missing} onAgain={ask} />
        <PastReports reports={reports} />
      </div>
    </div>
  );
}

function inWords(session: Session | undefined, missing: readonly string[]): string {
  const pending = session?.pending ?? 0;
  if (pending === 0) return 'No photograph waits for a report.';
  const names = missing.map(serviceAreaName).join(', ');
  return `${counted(pending, 'photograph')} will go into it.${names === '' ? '' : ` Outstanding: ${names}.`}`;
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
