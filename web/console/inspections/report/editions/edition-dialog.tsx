import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Session } from '../../../../../src/api/inspections.js';
import type { DetailsOfReportView, ReportView } from '../../../../../src/api/reports.js';
import { ApiError } from '../../../api/api-error.js';
import { get, segment } from '../../../api/client.js';
import { Field } from '../../../parts/entry/field.js';
import { DialogForm } from '../../../parts/overlay/dialog-form.js';
import { Dialog } from '../../../parts/overlay/dialog.js';
import { Problem } from '../../../parts/waiting/problem.js';
import { documentsFaultIn, NO_SIZE, readMegabytes } from '../draft.js';
import { Drawing } from '../render-outcome.js';
import { sizeFaultIn } from '../size-fault.js';
import './edition-dialog.css';
import {
  editionBody,
  type EditionDraft,
  EMPTY_EDITION,
  faultOf,
  firstOf,
  keyOf,
  newestOf,
  recordsOf,
  sizeIn,
} from './edition-draft.js';
import { EditionOutcome } from './edition-outcome.js';
import { useEdition } from './editions.js';
import { MetaRows } from './meta-rows.js';
import { RecordRows } from './record-rows.js';

interface EditionDialogProps {
  /** The report that gets another edition. */
  report: ReportView;
  reports: readonly ReportView[];
  session: Session;
  onClose: () => void;
}

/** Asks for the corrections and the reason of a new edition, then shows the edition. */
export function EditionDialog(props: EditionDialogProps) {
  const { report, reports, session, onClose } = props;
  const { state, ask, forget } = useEdition(session.flowId, firstOf(report, reports).id);
  const client = useQueryClient();
  const before = useRef(state.at);
  useEffect(() => {
    if (before.current !== state.at && (state.at === 'done' || state.at === 'failed')) {
      void client.invalidateQueries({ queryKey: ['reports'] });
      void client.invalidateQueries({ queryKey: ['inspection'] });
    }
    before.current = state.at;
  }, [state.at, client]);
  const newest = newestOf(report, reports);
  const close = () => {
    forget();
    onClose();
  };
  const made = state.at === 'done' && state.answer.file ? state.answer : undefined;
  return (
    <Dialog title={`New edition of ${report.filename}`} wide isOpen onClose={close}>
      {made ? (
        <EditionOutcome made={made} reports={reports} onClose={close} />
      ) : (
        <EditionForm
          {...props}
          newest={newest}
          isPending={state.at === 'asking' || state.at === 'drawing'}
          error={state.at === 'failed' ? state.error : undefined}
          onAsk={(body) => ask({ reportId: newest.id, body })}
          onClose={close}
        />
      )}
      <div role="status">
        {state.at === 'asking' && <Drawing progress={{ phase: 'waiting' }} />}
        {state.at === 'drawing' && <Drawing progress={state.progress} />}
        {made && <p className="hidden">Edition {made.edition} is ready.</p>}
      </div>
    </Dialog>
  );
}

interface EditionFormProps extends EditionDialogProps {
  newest: ReportView;
  isPending: boolean;
  error: unknown;
  onAsk: (body: object) => void;
}

function EditionForm({ newest, reports, session, isPending, error, onAsk, onClose }: EditionFormProps) {
  const [draft, setDraft] = useState<EditionDraft>(EMPTY_EDITION);
  const [tried, setTried] = useState(false);
  const put = (part: Partial<EditionDraft>) => setDraft((now) => ({ ...now, ...part }));
  const records = recordsOf(newest, reports, session);
  const details = useQuery({
    queryKey: ['report-details', newest.id],
    queryFn: ({ signal }) =>
      get<DetailsOfReportView>(`pdf/reports/${segment(newest.id)}/details`, { signal }),
    staleTime: Infinity,
  });
  const size = sizeIn(draft, newest.maxBytes);
  const documentsFault = documentsFaultIn(draft.meta.documents ?? '');
  const submit = () => {
    setTried(true);
    const isWrong = records.some((record) => {
      const values = draft.records.get(keyOf(record));
      return values !== undefined && faultOf(record, values) !== undefined;
    });
    if (draft.reason.trim() === '' || isWrong || documentsFault || readMegabytes(size) === undefined) return;
    const { maxBytes } = newest;
    onAsk(editionBody(draft, records, { details: details.data?.details ?? {}, maxBytes }));
  };
  // Changed details are sent as differences from these.
  const lacksDetails = Object.keys(draft.meta).length > 0 && details.data === undefined;
  return (
    <DialogForm
      action="Create the edition"
      isPending={isPending || lacksDetails}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="edition-note">
        Edition {newest.edition + 1} uses the same photographs with your corrections. Edition {newest.edition}{' '}
        stays as it is. The new cover says that it is replaced.
      </p>
      <Field
        label="Reason"
        value={draft.reason}
        onChange={(reason) => put({ reason })}
        maxLength={1_000}
        autoComplete="off"
        fault={tried && draft.reason.trim() === '' ? 'Enter the reason for the new edition.' : ''}
        hint="Stored with the edition and its corrections."
        autoFocus
      />
      <MetaRows
        meta={draft.meta}
        details={details}
        documentsFault={tried ? documentsFault : undefined}
        onChange={(meta) => put({ meta })}
      />
      <Field
        label="Maximum file size, in MB"
        value={size}
        onChange={(maxMegabytes) => put({ maxMegabytes })}
        inputMode="decimal"
        autoComplete="off"
        fault={tried && readMegabytes(size) === undefined ? NO_SIZE : (sizeFaultIn(error) ?? '')}
        hint="Pictures are reduced until the file fits. If empty, they stay as recorded."
      />
      <RecordRows
        records={records}
        drafts={draft.records}
        tried={tried}
        onChange={(record, values) =>
          setDraft((now) => ({ ...now, records: new Map(now.records).set(keyOf(record), values) }))
        }
      />
      {error !== undefined && (
        <div className="edition-failure">
          <Problem error={error} />
          <p className="edition-note">{adviceOn(error, newest)}</p>
        </div>
      )}
    </DialogForm>
  );
}

/** Returns the next step on this page, which the service's sentence cannot name. */
function adviceOn(error: unknown, newest: ReportView): string {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'already_replaced')
    return `Someone else has created another edition. Your entries are still here. Send them again once that edition is in the list${newest.edition > 1 ? ` (now edition ${newest.edition}${newest.reason === undefined ? '' : `: ${newest.reason}`})` : ''}.`;
  if (code === 'invalid_admin_key')
    return 'Try again to enter it. An edition that is being created continues, and is not created twice.';
  if (code === 'unreachable') return 'Nothing is lost. Try again: the same edition is not created twice.';
  return 'Your entries are still here. No edition was created.';
}
