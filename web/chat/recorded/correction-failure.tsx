import { AlertIcon } from '../../common/icons.js';
import { texts } from '../texts.js';

/** Says why a correction failed, and offers to repeat it. */
export function CorrectionFailure({ sentence, onAgain }: { sentence: string; onAgain: () => void }) {
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
