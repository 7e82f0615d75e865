import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Session } from '../../../../../src/api/inspections.js';
import type { ReportView } from '../../../../../src/api/reports.js';
import { warningSentences } from '../../../../common/warning.js';
import { post, segment } from '../../../api/client.js';
import { Button } from '../../../parts/actions/button.js';
import { AnchorButton } from '../../../parts/actions/link-button.js';
import { CompareIcon, ExternalIcon, PencilIcon, RepeatIcon } from '../../../parts/icons.js';
import { Dialog } from '../../../parts/overlay/dialog.js';
import { Time } from '../../../parts/values/time.js';
import { Loading } from '../../../parts/waiting/loading.js';
import { Problem } from '../../../parts/waiting/problem.js';
import { bytesInWords, counted } from '../../../parts/words.js';
import { serviceAreaName } from '../../photographs/service-areas.js';
import type { useReports } from '../../use-reports.js';
import { EditionDialog } from '../editions/edition-dialog.js';
import { recordsOf } from '../editions/edition-draft.js';
import { CompareDialog } from './compare-dialog.js';
import './past-reports.css';
import { Notes } from './report-card.js';
import { canPreview, ReportPreview } from './report-preview.js';
import { SaveReport } from './save-report.js';

/** The reports of this inspection, newest first. */
export function PastReports({
  reports,
  session,
}: {
  reports: ReturnType<typeof useReports>;
  session: Session | undefined;
}) {
  const [edited, setEdited] = useState<ReportView>();
  const [preview, setPreview] = useState<ReportView>();
  const [comparing, setComparing] = useState(false);
  const { data, error, isPending } = reports;
  return (
    <section className="past" aria-labelledby="past-reports">
      <div className="past-head">
        <h2 id="past-reports">Reports</h2>
        {data && data.data.length > 0 && (
          <Button small icon={<CompareIcon />} onPress={() => setComparing(true)}>
            Compare two
          </Button>
        )}
      </div>
      {error && <Problem error={error} onRetry={() => void reports.refetch()} />}
      {isPending && !error && <Loading label="Loading the reports" lines={2} />}
      {data?.data.length === 0 && <p className="past-none">No report of this inspection yet.</p>}
      <ul>
        {data?.data.map((report) => (
          <Past
            key={report.id}
            report={report}
            onPreview={() => setPreview(report)}
            onEdition={hasNext(report, data.data, session) ? () => setEdited(report) : undefined}
          />
        ))}
      </ul>
      <Dialog
        title={preview?.filename ?? ''}
        wide
        isOpen={preview !== undefined}
        onClose={() => setPreview(undefined)}
      >
        {preview && <ReportPreview id={preview.id} filename={preview.filename} />}
      </Dialog>
      {edited && session && (
        <EditionDialog
          report={edited}
          reports={data?.data ?? []}
          session={session}
          onClose={() => setEdited(undefined)}
        />
      )}
      <CompareDialog
        isOpen={comparing}
        onClose={() => setComparing(false)}
        own={data?.data ?? []}
        onMade={() => void reports.refetch()}
      />
    </section>
  );
}

/** Returns whether a new edition is possible: only from the newest edition, and not for a comparison, which has no records. */
const hasNext = (report: ReportView, reports: readonly ReportView[], session: Session | undefined): boolean =>
  session !== undefined &&
  report.replacedBy === undefined &&
  recordsOf(report, reports, session).some(({ kind }) => kind === 'photograph');

function Past({
  report,
  onPreview,
  onEdition,
}: {
  report: ReportView;
  onPreview: () => void;
  onEdition: (() => void) | undefined;
}) {
  const { id, filename, url, date, pages, photographs, bytes, executionId } = report;
  const redraw = useMutation({
    mutationFn: () => post<{ identical: boolean }>(`pdf/reports/${segment(id)}/redraw`),
  });
  return (
    <li className="past-report">
      <div className="past-text">
        <strong>
          {filename}
          {report.edition > 1 && `, edition ${report.edition}`}
        </strong>
        <span>
          <Time at={date} />, {counted(pages, 'page')}, {counted(photographs, 'photograph')},{' '}
          {bytesInWords(bytes)},{' '}
          <Link to="/console/executions/$id" params={{ id: executionId }}>
            execution
          </Link>
        </span>
        <Notes notes={notesOf(report)} />
        {redraw.error && <Problem error={redraw.error} />}
        <span role="status">
          {redraw.data &&
            (redraw.data.identical
              ? 'Redrawn: the bytes are identical.'
              : 'Redrawn: the result differs because this version of the service draws it differently. The file was not changed.')}
        </span>
      </div>
      <div className="past-actions">
        {canPreview() && (
          <Button small onPress={onPreview} aria-label={`Preview ${filename}`}>
            Preview
          </Button>
        )}
        <AnchorButton
          small
          href={`${url}&inline=true`}
          target="_blank"
          rel="noopener"
          aria-label={`Open ${filename}`}
        >
          <ExternalIcon /> Open
        </AnchorButton>
        <SaveReport id={id} filename={filename} small />
        {onEdition && (
          <Button small icon={<PencilIcon />} onPress={onEdition} aria-label={`New edition of ${filename}`}>
            New edition
          </Button>
        )}
        <Button
          small
          look="quiet"
          icon={<RepeatIcon />}
          isPending={redraw.isPending}
          onPress={() => redraw.mutate()}
          aria-label={`Redraw ${filename}`}
        >
          Redraw
        </Button>
      </div>
    </li>
  );
}

const notesOf = ({ outstandingAreas, warnings, delivery, ...report }: ReportView): string[] => [
  ...(report.replacedBy === undefined ? [] : ['Replaced by a newer edition.']),
  ...(report.reason === undefined ? [] : [`Replaces an earlier edition: ${report.reason}`]),
  ...(outstandingAreas.length > 0
    ? [`Outstanding at the time: ${outstandingAreas.map(serviceAreaName).join(', ')}.`]
    : []),
  ...(delivery
    ? [
        `Email to ${delivery.email.to.join(', ')}: ${delivery.email.status}${delivery.email.error === undefined ? '' : `, ${delivery.email.error}`}.`,
      ]
    : []),
  ...warningSentences(warnings),
];
