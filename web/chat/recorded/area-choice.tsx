import { type FormEvent, use, useId, useState, useSyncExternalStore } from 'react';
import { USUAL_ROOMS } from '../../common/usual-rooms.js';
import { areaTexts } from './area-texts.js';
import { RecordedContext } from './recorded-context.js';
import { areasToOffer } from './recorded.js';
import { SERVICE_NAMES } from './usual-areas.js';

const LONGEST_AREA = 200;

interface AreaChoiceProps {
  /** The area that is not offered; empty to offer all. */
  here: string;
  /** The label of the button that takes a typed name. */
  submit: string;
  onChoose: (area: string) => void;
}

/** The areas of the inspection, the usual ones, and a field for any other. */
export function AreaChoice({ here, submit, onChoose }: AreaChoiceProps) {
  const { recorded } = use(RecordedContext)!;
  const { areas } = useSyncExternalStore(recorded.subscribe, recorded.snapshot);
  const [typed, setTyped] = useState('');
  const field = useId();
  const { own, usual } = areasToOffer(areas, USUAL_ROOMS, here);
  const groups = [
    { label: areaTexts.own, names: own, kind: 'own' },
    { label: areaTexts.rooms, names: usual, kind: '' },
    { label: areaTexts.services, names: areasToOffer(areas, SERVICE_NAMES, here).usual, kind: '' },
  ];
  const choose = (event: FormEvent) => {
    event.preventDefault();
    const name = typed.trim();
    if (name !== '') onChoose(name);
  };
  return (
    <>
      {groups.map(
        ({ label, names, kind }) =>
          names.length > 0 && (
            <div key={label} className={`chips ${kind}`} role="group" aria-label={label}>
              {names.map((name) => (
                <button key={name} type="button" className="chip" onClick={() => onChoose(name)}>
                  {name}
                </button>
              ))}
            </div>
          ),
      )}
      <form className="correction-typed" onSubmit={choose}>
        <label htmlFor={field} className="hidden">
          {areaTexts.another}
        </label>
        <input
          id={field}
          value={typed}
          maxLength={LONGEST_AREA}
          placeholder={areaTexts.anotherPlaceholder}
          autoComplete="off"
          enterKeyHint="done"
          onChange={({ target }) => setTyped(target.value)}
        />
        <button type="submit" className="primary" disabled={typed.trim() === ''}>
          {submit}
        </button>
      </form>
    </>
  );
}
