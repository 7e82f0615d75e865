import { type FormEvent, useEffect, useId, useState } from 'react';
import { SERVICE_AREA_TITLES } from '../../../src/inspection/areas/area-type.js';
import { objectIn } from '../../common/answer.js';
import { CheckIcon, EditIcon } from '../../common/icons.js';
import { Sheet } from '../sheet/sheet.js';
import { texts } from '../texts.js';
import { type AreaShown, type Checklist, checklistOf, type ServiceShown, skipChange } from './checklist.js';
import { Failure } from './details-sheet.js';
import { failureInWords, InspectionService } from './inspection-service.js';
import { inspectionTexts } from './inspection-texts.js';
import type { InspectionPlace, SheetProps } from './place.js';

const LONGEST_AREA = 200;

/** The progress of the inspection: the contents of each area, and what is outstanding. */
export function ChecklistSheet({ place, onSay, onClose }: SheetProps) {
  const { checklist, failure, busy, load, rename, skip } = useChecklist(place);
  const [waits, setWaits] = useState(false);
  const goTo = (area: string) => {
    if (onSay(area)) onClose();
    else setWaits(true);
  };
  return (
    <Sheet title={texts.checklist} onClose={onClose}>
      <div className="checklist" aria-busy={busy}>
        {failure !== undefined && <Failure sentence={failure} onAgain={() => void load()} />}
        {waits && (
          <p className="sheet-failure" role="alert">
            {inspectionTexts.answerUnderWay}
          </p>
        )}
        {checklist && (
          <>
            <p className="sheet-note" role="status">
              {inspectionTexts.soFar(texts.photographs(checklist.photographs), checklist.areas.length)}
            </p>
            <ul className="checklist-areas" aria-label={inspectionTexts.areas}>
              {checklist.areas.map((area) => (
                <Area key={area.area} area={area} onGo={goTo} onRename={rename} />
              ))}
            </ul>
            <Services services={checklist.services} busy={busy} onSkip={skip} />
          </>
        )}
      </div>
    </Sheet>
  );
}

/** Loads the checklist, and reloads it after each change. A failed change is reported, never shown as made. */
function useChecklist(place: InspectionPlace) {
  const [service] = useState(() => new InspectionService(place));
  const [checklist, setChecklist] = useState<Checklist>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(true);
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
      const [areas, record] = await Promise.all([service.areas(), service.details()]);
      setChecklist(checklistOf(areas, objectIn(record['details'])));
      return true;
    } catch (error) {
      setFailure(failureInWords(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const load = () => attempt(() => Promise.resolve());
  useEffect(() => void load(), []);
  const rename = (from: string, to: string) => attempt(() => service.rename(from, to));
  // Start from the current record, since the chat may have skipped another area.
  const skip = (area: ServiceShown) =>
    attempt(async () => {
      const { details } = await service.details();
      await service.changeDetails(skipChange(objectIn(details), area));
    });
  return { checklist, failure, busy, load, rename, skip };
}

interface AreaProps {
  area: AreaShown;
  onGo: (area: string) => void;
  onRename: (from: string, to: string) => Promise<boolean>;
}

function Area({ area, onGo, onRename }: AreaProps) {
  const [renames, setRenames] = useState(false);
  const close = () => setRenames(false);
  return (
    <li>
      <div className="checklist-area">
        <button type="button" className="checklist-go" onClick={() => onGo(area.area)}>
          <strong>{area.area}</strong>
          <span>{contentsOf(area)}</span>
        </button>
        <button
          type="button"
          className="round"
          aria-label={inspectionTexts.renameArea(area.area)}
          title={inspectionTexts.renameArea(area.area)}
          aria-expanded={renames}
          onClick={() => setRenames(!renames)}
        >
          <EditIcon />
        </button>
      </div>
      {renames && <Rename area={area.area} onRename={onRename} onDone={close} />}
    </li>
  );
}

function contentsOf({ photographs, remarks, facts, isCurrent }: AreaShown): string {
  const parts = [
    isCurrent ? inspectionTexts.currentArea : '',
    texts.photographs(photographs),
    remarks === 0 ? '' : inspectionTexts.remarks(remarks),
    facts === 0 ? '' : inspectionTexts.notes(facts),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function Rename({
  area,
  onRename,
  onDone,
}: Pick<AreaProps, 'onRename'> & { area: string; onDone: () => void }) {
  const [name, setName] = useState(area);
  const id = useId();
  const wanted = name.trim();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (wanted !== '' && wanted !== area && (await onRename(area, wanted))) onDone();
  };
  return (
    <form className="checklist-rename" onSubmit={(event) => void submit(event)}>
      <label htmlFor={id} className="hidden">
        {inspectionTexts.newName(area)}
      </label>
      <input
        id={id}
        value={name}
        maxLength={LONGEST_AREA}
        autoComplete="off"
        autoFocus
        enterKeyHint="done"
        onChange={({ target }) => setName(target.value)}
      />
      <button type="submit" className="primary" disabled={wanted === '' || wanted === area}>
        {inspectionTexts.rename}
      </button>
    </form>
  );
}

interface ServicesProps {
  services: readonly ServiceShown[];
  busy: boolean;
  onSkip: (area: ServiceShown) => Promise<boolean>;
}

function Services({ services, busy, onSkip }: ServicesProps) {
  const title = useId();
  if (services.length === 0) return null;
  return (
    <section aria-labelledby={title}>
      <h3 id={title}>{inspectionTexts.outstanding}</h3>
      <p className="sheet-note">{inspectionTexts.outstandingNote}</p>
      <ul className="checklist-services">
        {services.map((area) => (
          <li key={area.slug}>
            <button type="button" aria-pressed={area.isSkipped} onClick={() => !busy && void onSkip(area)}>
              <span className="checklist-box">{area.isSkipped && <CheckIcon />}</span>
              <strong>{SERVICE_AREA_TITLES[area.slug]}</strong>
              <span>{area.isSkipped ? inspectionTexts.skipped : inspectionTexts.isOutstanding}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
