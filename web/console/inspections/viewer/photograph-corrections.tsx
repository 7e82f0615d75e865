import { useState } from 'react';
import type { Change } from '../../../../src/api/corrections.js';
import type { Photograph } from '../../../../src/api/inspections.js';
import type { ReportView } from '../../../../src/api/reports.js';
import { Button } from '../../parts/actions/button.js';
import { Field } from '../../parts/entry/field.js';
import { BringBackIcon, WithdrawIcon } from '../../parts/icons.js';
import { takingBack } from '../corrections/change-words.js';
import { LineDialog, ReasonField } from '../corrections/correction-dialog.js';
import { MoveMenu } from '../corrections/move-menu.js';
import { RunNotice } from '../corrections/run-notice.js';
import { correctPhotographs } from '../corrections/steps.js';
import './photograph-corrections.css';
import { Trail, useTrail } from '../corrections/trail.js';
import { TurnButtons } from '../corrections/turn-buttons.js';
import { useCorrections } from '../corrections/use-corrections.js';
import { isClaimed, isWithdrawn } from '../photographs/area-groups.js';
import type { Place } from '../place.js';

interface PhotographCorrectionsProps {
  place: Pick<Place, 'flowId' | 'sessionId'>;
  photograph: Photograph;
  areas: readonly string[];
  reports: readonly ReportView[];
}

/** Corrects one photograph until a report claims it, and lists its corrections. */
export function PhotographCorrections({ place, photograph, areas, reports }: PhotographCorrectionsProps) {
  const [run] = useCorrections(place);
  const trail = useTrail('photographs', photograph);
  const [reason, setReason] = useState('');
  const correct = (change: Change, why = reason.trim()) => {
    void run.start(correctPhotographs([photograph], change, why));
    setReason('');
  };
  return (
    <section className="photograph-corrections" aria-label="Corrections">
      {isClaimed(photograph) ? (
        <Claimed photograph={photograph} reports={reports} />
      ) : (
        <>
          <Actions photograph={photograph} areas={areas} onCorrect={correct} />
          <CaptionForm
            key={photograph.caption}
            before={photograph.caption ?? ''}
            onSave={(caption) => correct({ caption })}
          />
          <ReasonField reason={reason} onChange={setReason} />
        </>
      )}
      <RunNotice run={run} />
      <Trail trail={trail} />
      {!isClaimed(photograph) && <TakeBack change={takingBack(trail.data ?? [])} onCorrect={correct} />}
    </section>
  );
}

function Actions({
  photograph,
  areas,
  onCorrect,
}: {
  photograph: Photograph;
  areas: readonly string[];
  onCorrect: (change: Change, reason?: string) => void;
}) {
  const [typing, setTyping] = useState(false);
  const withdrawn = isWithdrawn(photograph);
  return (
    <div className="photograph-actions">
      <MoveMenu
        areas={areas}
        here={photograph.area}
        onMove={(area) => onCorrect({ area })}
        onType={() => setTyping(true)}
        small
      />
      <TurnButtons onTurn={(turn) => onCorrect({ turn })} />
      <Button
        small
        icon={withdrawn ? <BringBackIcon /> : <WithdrawIcon />}
        onPress={() => onCorrect({ withdrawn: !withdrawn })}
      >
        {withdrawn ? 'Restore' : 'Withdraw'}
      </Button>
      {typing && (
        <LineDialog
          title="Move the photograph"
          action="Move"
          label="Area"
          maxLength={200}
          onSubmit={(area, why) => onCorrect({ area }, why)}
          onClose={() => setTyping(false)}
        />
      )}
    </div>
  );
}

function CaptionForm({ before, onSave }: { before: string; onSave: (caption: string) => void }) {
  const [caption, setCaption] = useState(before);
  return (
    <form
      className="caption-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (caption.trim() !== before) onSave(caption.trim());
      }}
    >
      <Field label="Caption" value={caption} onChange={setCaption} maxLength={2_000} autoComplete="off" />
      <Button type="submit" isDisabled={caption.trim() === before}>
        Save
      </Button>
    </form>
  );
}

function TakeBack({
  change,
  onCorrect,
}: {
  change: Change | undefined;
  onCorrect: (change: Change) => void;
}) {
  if (!change) return null;
  return (
    <div>
      <Button small onPress={() => onCorrect(change)}>
        Undo the latest
      </Button>
    </div>
  );
}

/** Explains why the photograph can no longer be corrected. */
function Claimed({ photograph, reports }: { photograph: Photograph; reports: readonly ReportView[] }) {
  const report = reports.find(({ id }) => id === photograph.reportId);
  return (
    <p className="photograph-claimed">
      {report
        ? `This photograph is in the report ${report.filename}.`
        : 'A report in progress has claimed this photograph.'}{' '}
      To correct it, create a new edition of the report.
    </p>
  );
}
