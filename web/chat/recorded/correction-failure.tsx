import { useEffect, useRef } from 'react';
import { AlertIcon } from '../../common/icons.js';
import { texts } from '../texts.js';

/** Says why a correction failed, and offers to repeat it. Takes the focus if the correction has removed what had it. */
export function CorrectionFailure({ sentence, onAgain }: { sentence: string; onAgain: () => void }) {
  const again = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (document.activeElement?.matches('body, dialog')) again.current?.focus();
  }, []);
  return (
    <div className="correction-failed" role="alert">
      <AlertIcon />
      <p>{sentence}</p>
      <button ref={again} type="button" className="quiet-button" onClick={onAgain}>
        {texts.tryAgain}
      </button>
    </div>
  );
}
