import { type FormEvent, type ReactNode, use, useEffect, useId, useState, useSyncExternalStore } from 'react';
import {
  AlertIcon,
  BackIcon,
  TurnLeftIcon,
  TurnOverIcon,
  TurnRightIcon,
  WithdrawIcon,
} from '../../common/icons.js';
import { Thumbnail } from '../photographs/thumbnail.js';
import { Sheet } from '../sheet/sheet.js';
import { texts } from '../texts.js';
import { CorrectionStatus } from './correction-status.js';
import { correctionTexts } from './correction-texts.js';
import { RecordedContext } from './recorded-context.js';
import { claimedInWords } from './recorded-photographs.js';
import { areasToOffer, type CorrectionProps, type Recorded, type Wanted } from './recorded.js';

const LONGEST_AREA = 200;

type Correct = (wanted: Wanted) => void;

/** Corrects one photograph. The sheet closes after any correction except a rotation, which may take several taps. */
export function CorrectionSheet({ id, name, onClose }: CorrectionProps) {
  const { recorded } = use(RecordedContext)!;
  const photograph = useSyncExternalStore(recorded.subscribe, () => recorded.of(id));
  const [failed, setFailed] = useState<{ sentence: string; wanted: Wanted }>();
  const [busy, setBusy] = useState(false);
  useEffect(() => void recorded.refresh(), [recorded]);
  const correct = async (wanted: Wanted) => {
    const closes = !('turn' in wanted);
    setFailed(undefined);
    setBusy(closes);
    const sentence = await recorded.correct(id, wanted);
    setBusy(false);
    if (sentence !== undefined) setFailed({ sentence, wanted });
    else if (closes) onClose();
  };
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
          <Failure sentence={failed.sentence} onAgain={() => void correct(failed.wanted)} />
        )}
        {reportedAt !== undefined ? (
          <p className="correction-claimed" role="status">
            {claimedInWords(reportedAt)}
          </p>
        ) : (
          <Choices photograph={photograph} busy={busy} onCorrect={(wanted) => void correct(wanted)} />
        )}
      </div>
    </Sheet>
  );
}

function Failure({ sentence, onAgain }: { sentence: string; onAgain: () => void }) {
  return (
    <div className="correction-failed" role="alert">
      <AlertIcon />
      <p>{sentence}</p>
      <button type="button" className="quiet-button" onClick={onAgain}>
        {texts.tryAgain}
      </button>
    </div>
  );
}

interface ChoicesProps {
  photograph: Recorded;
  busy: boolean;
  onCorrect: Correct;
}

function Choices({ photograph: { area, turn, withdrawn }, busy, onCorrect }: ChoicesProps) {
  const turnBy = (degrees: number) => () => onCorrect({ turn: (turn + degrees) % 360 });
  return (
    <fieldset disabled={busy}>
      <legend className="hidden">{correctionTexts.corrections}</legend>
      <Move area={area} onCorrect={onCorrect} />
      <Section title={correctionTexts.turnTitle}>
        <div className="correction-turns">
          <button type="button" className="secondary" onClick={turnBy(270)}>
            <TurnLeftIcon />
            {correctionTexts.turnLeft}
          </button>
          <button type="button" className="secondary" onClick={turnBy(90)}>
            <TurnRightIcon />
            {correctionTexts.turnRight}
          </button>
          <button type="button" className="secondary" onClick={turnBy(180)}>
            <TurnOverIcon />
            {correctionTexts.turnOver}
          </button>
        </div>
      </Section>
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

function Move({ area, onCorrect }: { area: string; onCorrect: Correct }) {
  const { recorded } = use(RecordedContext)!;
  const { areas } = useSyncExternalStore(recorded.subscribe, recorded.snapshot);
  const [typed, setTyped] = useState('');
  const field = useId();
  const offered = areasToOffer(areas, correctionTexts.usualAreas, area);
  const chips = (names: readonly string[]) =>
    names.map((name) => (
      <button key={name} type="button" className="chip" onClick={() => onCorrect({ area: name })}>
        {name}
      </button>
    ));
  const move = (event: FormEvent) => {
    event.preventDefault();
    const name = typed.trim();
    if (name !== '') onCorrect({ area: name });
  };
  return (
    <Section title={correctionTexts.moveTitle}>
      {offered.own.length > 0 && (
        <div className="chips own" role="group" aria-label={correctionTexts.ownAreas}>
          {chips(offered.own)}
        </div>
      )}
      <div className="chips" role="group" aria-label={correctionTexts.otherAreas}>
        {chips(offered.usual)}
      </div>
      <form className="correction-typed" onSubmit={move}>
        <label htmlFor={field} className="hidden">
          {correctionTexts.anotherArea}
        </label>
        <input
          id={field}
          value={typed}
          maxLength={LONGEST_AREA}
          placeholder={correctionTexts.anotherArea}
          autoComplete="off"
          enterKeyHint="done"
          onChange={({ target }) => setTyped(target.value)}
        />
        <button type="submit" className="primary" disabled={typed.trim() === ''}>
          {correctionTexts.move}
        </button>
      </form>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}
