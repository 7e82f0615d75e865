import { use, useState } from 'react';
import { Sheet } from '../sheet/sheet.js';
import { texts } from '../texts.js';
import { AreaChoice } from './area-choice.js';
import { areaTexts } from './area-texts.js';
import { CorrectionFailure } from './correction-failure.js';
import { RecordedContext } from './recorded-context.js';
import type { MoveProps, TargetProps } from './recorded.js';

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

/** Moves the photographs of a message to another area. */
export function MoveSheet({ ids, area, onClose }: MoveProps) {
  const { recorded } = use(RecordedContext)!;
  const [failed, setFailed] = useState<{ sentence: string; area: string }>();
  const [busy, setBusy] = useState(false);
  const move = async (chosen: string) => {
    setFailed(undefined);
    setBusy(true);
    const sentences = await Promise.all(ids.map((id) => recorded.correct(id, { area: chosen })));
    setBusy(false);
    const sentence = sentences.find((each) => each !== undefined);
    if (sentence === undefined) onClose();
    else setFailed({ sentence, area: chosen });
  };
  return (
    <Sheet title={texts.moveTitle(texts.photographs(ids.length))} onClose={onClose}>
      <div className="correction" aria-busy={busy}>
        {failed && <CorrectionFailure sentence={failed.sentence} onAgain={() => void move(failed.area)} />}
        <fieldset disabled={busy}>
          <AreaChoice here={area} submit={areaTexts.move} onChoose={(chosen) => void move(chosen)} />
        </fieldset>
      </div>
    </Sheet>
  );
}
