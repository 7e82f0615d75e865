import { use, useEffect, useState, useSyncExternalStore } from 'react';
import { BackIcon, TurnLeftIcon, TurnOverIcon, TurnRightIcon, WithdrawIcon } from '../../common/icons.js';
import { Thumbnail } from '../photographs/thumbnail.js';
import { SheetSection } from '../sheet/sheet-section.js';
import { Sheet } from '../sheet/sheet.js';
import { texts } from '../texts.js';
import { AreaChoice } from './area-choice.js';
import { areaTexts } from './area-texts.js';
import { CorrectionFailure } from './correction-failure.js';
import { CorrectionStatus } from './correction-status.js';
import { correctionTexts } from './correction-texts.js';
import { RecordedContext } from './recorded-context.js';
import { claimedInWords } from './recorded-photographs.js';
import type { CorrectionProps, Recorded, Wanted } from './recorded.js';

/** Corrects one photograph. The sheet closes after any correction except a rotation, which may take several taps. */
export function CorrectionSheet({ id, name, onClose }: CorrectionProps) {
  const { recorded } = use(RecordedContext)!;
  const photograph = useSyncExternalStore(recorded.subscribe, () => recorded.of(id));
  const [failed, setFailed] = useState<{ sentence: string; wanted: Wanted }>();
  const [busy, setBusy] = useState(false);
  useEffect(() => void recorded.refresh(), [recorded]);
  const correct = async (wanted: Wanted) => {
    if (busy) return;
    const closes = !('turn' in wanted);
    setFailed(undefined);
    setBusy(closes);
    const sentence = await recorded.correct(id, wanted);
    setBusy(false);
    if (sentence !== undefined) setFailed({ sentence, wanted });
    else if (closes) onClose();
  };
  /** Adds to the turns tapped so far, which may not be drawn yet. */
  const turnBy = (degrees: number) => void correct({ turn: ((recorded.of(id)?.turn ?? 0) + degrees) % 360 });
  if (!photograph) return null;
  const { area, turn, withdrawn, reportedAt } = photograph;
  return (
    <Sheet title={texts.correctTitle} onClose={onClose}>
      <div className="correction" aria-busy={busy}>
        <CorrectionStatus />
        <div className={`correction-now ${withdrawn ? 'withdrawn' : ''}`}>
          <Thumbnail id={id} name={name} turn={turn} />
          <p>
            <strong>{area}</strong>
            <span>{withdrawn ? correctionTexts.withdrawnNote : name}</span>
          </p>
        </div>
        {failed && reportedAt === undefined && (
          <CorrectionFailure sentence={failed.sentence} onAgain={() => void correct(failed.wanted)} />
        )}
        {reportedAt !== undefined ? (
          <p className="correction-claimed" role="status">
            {claimedInWords(reportedAt)}
          </p>
        ) : (
          <Choices photograph={photograph} onCorrect={(wanted) => void correct(wanted)} onTurn={turnBy} />
        )}
      </div>
    </Sheet>
  );
}

interface ChoicesProps {
  photograph: Recorded;
  onCorrect: (wanted: Wanted) => void;
  onTurn: (degrees: number) => void;
}

function Choices({ photograph: { area, withdrawn }, onCorrect, onTurn }: ChoicesProps) {
  return (
    <fieldset>
      <legend className="hidden">{correctionTexts.corrections}</legend>
      <SheetSection title={correctionTexts.moveTitle}>
        <AreaChoice here={area} submit={areaTexts.move} onChoose={(chosen) => onCorrect({ area: chosen })} />
      </SheetSection>
      <SheetSection title={correctionTexts.turnTitle}>
        <div className="correction-turns">
          <button type="button" className="secondary" onClick={() => onTurn(270)}>
            <TurnLeftIcon />
            {correctionTexts.turnLeft}
          </button>
          <button type="button" className="secondary" onClick={() => onTurn(90)}>
            <TurnRightIcon />
            {correctionTexts.turnRight}
          </button>
          <button type="button" className="secondary" onClick={() => onTurn(180)}>
            <TurnOverIcon />
            {correctionTexts.turnOver}
          </button>
        </div>
      </SheetSection>
      <button
        type="button"
        className="correction-withdraw"
        onClick={() => onCorrect({ withdrawn: !withdrawn })}
      >
        {withdrawn ? <BackIcon /> : <WithdrawIcon />}
        <span>
          <strong>{withdrawn ? correctionTexts.bringBack : correctionTexts.withdraw}</strong>
          <span>{withdrawn ? correctionTexts.bringBackNote : correctionTexts.withdrawNote}</span>
        </span>
      </button>
    </fieldset>
  );
}
