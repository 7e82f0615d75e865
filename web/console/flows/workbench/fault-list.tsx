import { AlertIcon, CheckIcon } from '../../parts/icons.js';
import { counted } from '../../parts/words.js';
import type { PlacedFault } from '../editor/read-definition.js';

const MOST = 50;

/** Lists the faults of the text, then the warnings. Each links to its place. */
export function FaultList({
  text,
  faults,
  warnings,
  isChecked,
  onJump,
}: {
  text: string;
  faults: readonly PlacedFault[];
  warnings: readonly PlacedFault[];
  isChecked: boolean;
  onJump: (fault: PlacedFault) => void;
}) {
  const isBad = faults.length > 0;
  const isOdd = warnings.length > 0;
  return (
    <div className="faults">
      <p className="faults-sum" role="status">
        {isBad || isOdd ? <AlertIcon /> : <CheckIcon />}
        <span className={isBad ? 'faults-bad' : undefined}>
          {isBad ? counted(faults.length, 'fault') : isChecked ? 'No faults.' : 'Checking…'}
        </span>
        {isOdd && <span className="faults-odd">{counted(warnings.length, 'warning')}</span>}
      </p>
      <Places label="Faults" text={text} places={faults} onJump={onJump} />
      <Places label="Warnings" text={text} places={warnings} onJump={onJump} />
    </div>
  );
}

function Places({
  label,
  text,
  places,
  onJump,
}: {
  label: string;
  text: string;
  places: readonly PlacedFault[];
  onJump: (fault: PlacedFault) => void;
}) {
  if (places.length === 0) return null;
  return (
    <ul aria-label={label}>
      {places.slice(0, MOST).map((place, index) => (
        <li key={index}>
          <button type="button" className="fault" onClick={() => onJump(place)}>
            <span className="fault-line">Line {lineOf(text, place.from)}</span>
            <span className="fault-what">
              {place.path !== '' && <code>{place.path}</code>} {place.message}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const lineOf = (text: string, position: number): number => text.slice(0, position).split('\n').length;
