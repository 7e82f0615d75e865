import { use, useEffect, useState, useSyncExternalStore } from 'react';
import { Thumbnail } from '../photographs/thumbnail.js';
import { AreaChoice } from '../recorded/area-choice.js';
import { areaTexts } from '../recorded/area-texts.js';
import { Correction } from '../recorded/late-sheets.js';
import { RecordedContext } from '../recorded/recorded-context.js';
import type { Recorded } from '../recorded/recorded.js';
import { SheetSection } from '../sheet/sheet-section.js';
import { texts } from '../texts.js';
import type { AreaShown } from './checklist.js';
import { CorrectableRow } from './correctable-row.js';
import { inspectionTexts } from './inspection-texts.js';
import { type ChecklistEditor, photographsRow } from './use-checklist.js';

interface PhotographsRowProps {
  area: AreaShown;
  editor: ChecklistEditor;
}

/** The photographs of an area: moved together, or corrected one by one. */
export function PhotographsRow({ area, editor }: PhotographsRowProps) {
  const { key, photographs } = area;
  const row = photographsRow(key);
  const claimed = photographs.filter((photograph) => photograph.claimed).length;
  const words = <span className="checklist-words">{texts.photographs(photographs.length)}</span>;
  if (claimed === photographs.length)
    return (
      <li className="checklist-claimed" data-row={row} tabIndex={-1}>
        {words}
        <span className="checklist-note">{inspectionTexts.inReport}</span>
      </li>
    );
  return (
    <CorrectableRow
      row={row}
      editor={editor}
      words={words}
      note={claimed > 0 && <span className="checklist-note">{inspectionTexts.someInReport(claimed)}</span>}
      opens={inspectionTexts.opensPhotographs}
      label={texts.photographs(photographs.length)}
    >
      <SheetSection title={inspectionTexts.correctOne}>
        <Tiles area={area} />
      </SheetSection>
      <SheetSection title={texts.moveTitle(texts.photographs(photographs.length - claimed))}>
        <AreaChoice
          here={area.area}
          submit={areaTexts.move}
          onChoose={(to) => void editor.movePhotographs(area, to)}
        />
      </SheetSection>
    </CorrectableRow>
  );
}

/** The photographs that were sent in this chat. A tap opens the sheet that corrects one. */
function Tiles({ area: { area, photographs } }: Pick<PhotographsRowProps, 'area'>) {
  const { recorded } = use(RecordedContext)!;
  const known = useSyncExternalStore(recorded.subscribe, recorded.snapshot).photographs;
  const byId = new Map([...known].map(([messageId, each]) => [each.id, { messageId, photograph: each }]));
  const shown = photographs.flatMap(({ id }, index) => {
    const found = byId.get(id);
    return found ? [{ ...found, label: texts.numbered(index + 1, area) }] : [];
  });
  const others = photographs.length - shown.length;
  return (
    <>
      <div className="checklist-tiles">
        {shown.map((tile) => (
          <Tile key={tile.messageId} {...tile} />
        ))}
      </div>
      {others > 0 && <p className="checklist-note">{inspectionTexts.sentElsewhere(others)}</p>}
    </>
  );
}

interface TileProps {
  messageId: string;
  photograph: Recorded;
  label: string;
}

function Tile({ messageId, photograph, label }: TileProps) {
  const { prints } = use(RecordedContext)!;
  const [open, setOpen] = useState(false);
  useEffect(() => prints.draw(messageId), [prints, messageId]);
  return (
    <>
      <button
        type="button"
        aria-label={texts.correct(label)}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Thumbnail id={messageId} name={label} turn={photograph.turn} />
      </button>
      {open && <Correction id={messageId} name={label} label={label} onClose={() => setOpen(false)} />}
    </>
  );
}
