import { texts } from '../texts.js';
import type { Lost } from './restoring.js';

/** Names the photographs that were chosen and lost, until the person has read it. */
export function LostPhotographs({ lost, onDismiss }: { lost: readonly Lost[]; onDismiss: () => void }) {
  if (lost.length === 0) return null;
  const names = lost.map(({ name }) => name).join(', ');
  return (
    <div className="complaint lost" role="alert">
      <p>{texts.notRestored(names, lost.length)}</p>
      <button type="button" className="quiet-button" onClick={onDismiss}>
        {texts.dismiss}
      </button>
    </div>
  );
}
