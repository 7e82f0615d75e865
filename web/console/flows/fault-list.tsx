import { AlertIcon, CheckIcon } from '../parts/icons.js';
import { counted } from '../parts/words.js';
import type { PlacedFault } from './editor/read-definition.js';

const MOST = 50;

/** What is wrong with the text; each leads to its place. */
export function FaultList({
  text,
  faults,
  isChecked,
  onJump,
}: {
  text: string;
  faults: readonly PlacedFault[];
  isChecked: boolean;
  onJump: (fault: PlacedFault) => void;
}) {
  return (
    <div className="faults">
      <p className={faults.length > 0 ? 'faults-sum faults-bad' : 'faults-sum'} role="status">
        {faults.length > 0 ? <AlertIcon /> : <CheckIcon />}
        {faults.length > 0 ? counted(faults.length, 'fault') : isChecked ? 'No faults.' : 'Checking …'}
      </p>
      {faults.length > 0 && (
        <ul aria-label="Faults">
          {faults.slice(0, MOST).map((fault, index) => (
            <li key={index}>
              <button type="button" className="fault" onClick={() => onJump(fault)}>
                <span className="fault-line">Line {lineOf(text, fault.from)}</span>
                <span className="fault-what">
                  {fault.path !== '' && <code>{fault.path}</code>} {fault.message}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const lineOf = (text: string, position: number): number => text.slice(0, position).split('\n').length;
