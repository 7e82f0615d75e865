import { use, useEffect, useState } from 'react';
import type { ThingView } from '../../../src/api/things.js';
import { Sheet } from '../sheet/sheet.js';
import { texts } from '../texts.js';
import { AreaChoice } from './area-choice.js';
import { areaTexts } from './area-texts.js';
import { CorrectionFailure } from './correction-failure.js';
import { RecordedContext } from './recorded-context.js';
import { failedInWords } from './recorded-photographs.js';
import type { MoveProps, TargetProps } from './recorded.js';
import type { SessionPlace } from './session-service.js';
import { remarksBeside, thingsOf } from './session-things.js';

/** Chooses the area of the next message. */
export const TargetSheet = ({ target, onChoose, onClose }: TargetProps) => (
  <Sheet title={texts.targetTitle} onClose={onClose}>
    <div className="correction">
      <AreaChoice
        here={target}
        submit={areaTexts.choose}
        onChoose={(area) => {
          onChoose(area);
          onClose();
        }}
      />
    </div>
  </Sheet>
);

/** Moves the photographs of a message to another area, and the remark that came with them unless the person keeps it. */
export function MoveSheet({ ids, area, onClose }: MoveProps) {
  const { recorded, inspection } = use(RecordedContext)!;
  const [failed, setFailed] = useState<{ sentence: string; area: string }>();
  const [busy, setBusy] = useState(false);
  const [remarks] = useState(() =>
    remarksOf(
      inspection,
      ids.flatMap((id) => recorded.of(id)?.id ?? []),
    ),
  );
  const [shown, setShown] = useState<readonly ThingView[]>([]);
  const [stays, setStays] = useState(false);
  useEffect(() => void remarks.then(setShown), [remarks]);
  const move = async (chosen: string) => {
    if (busy) return;
    setFailed(undefined);
    setBusy(true);
    // Read before the photographs move, since a remark is found by the area that it shares with them.
    const found = stays ? [] : await remarks;
    const sentences = await Promise.all(ids.map((id) => recorded.correct(id, { area: chosen })));
    const beside = sentences.some(Boolean) ? [] : found;
    for (const { id } of beside) sentences.push(await moveRemark(inspection, id, chosen));
    if (beside.length > 0) recorded.corrected();
    setBusy(false);
    const sentence = sentences.find((each) => each !== undefined);
    if (sentence === undefined) onClose();
    else setFailed({ sentence, area: chosen });
  };
  return (
    <Sheet title={texts.moveTitle(texts.photographs(ids.length))} onClose={onClose}>
      <div className="correction" aria-busy={busy}>
        {failed && <CorrectionFailure sentence={failed.sentence} onAgain={() => void move(failed.area)} />}
        <fieldset>
          {shown.length > 0 && (
            <label className="move-remark">
              <input type="checkbox" checked={!stays} onChange={({ target }) => setStays(!target.checked)} />
              <span>{areaTexts.withRemark(shown.map(({ text = '' }) => text).join(' · '))}</span>
            </label>
          )}
          <AreaChoice here={area} submit={areaTexts.move} onChoose={(chosen) => void move(chosen)} />
        </fieldset>
      </div>
    </Sheet>
  );
}

/** Returns the remarks of the photographs' message. Without a connection the photographs cannot be moved either. */
const remarksOf = (session: SessionPlace, photographs: readonly string[]): Promise<ThingView[]> =>
  thingsOf(session).then(
    (things) => remarksBeside(things, photographs),
    () => [],
  );

/** Returns a sentence when it failed. */
const moveRemark = (
  { service, sessionId }: SessionPlace,
  id: string,
  area: string,
): Promise<string | undefined> =>
  service
    .call(sessionId(), 'POST', `remarks/${id}/corrections`, { area })
    .then(() => undefined, failedInWords);
