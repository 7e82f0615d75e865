import { AlertIcon, ClockIcon, OfflineIcon } from '../../common/icons.js';
import { texts } from '../texts.js';
import type { ChatState } from './chat-state.js';
import { inWords, type Trouble } from './trouble.js';

/** The progress of the turn, or its trouble. */
export function TurnStatus({
  state: { phase, trouble },
  onRetry,
}: {
  state: ChatState;
  onRetry: () => void;
}) {
  if (trouble) return <TroubleView trouble={trouble} onRetry={onRetry} />;
  if (phase === 'idle' || phase === 'answering') return null;
  if (phase === 'reconnecting')
    return (
      <p className="reconnecting">
        <OfflineIcon />
        {texts.reconnecting}
      </p>
    );
  return (
    <p className="dots" aria-hidden="true">
      <i />
      <i />
      <i />
    </p>
  );
}

function TroubleView({ trouble, onRetry }: { trouble: Trouble; onRetry: () => void }) {
  const { retry, reference, label = texts.tryAgain } = trouble;
  const waits = trouble.waits !== undefined;
  return (
    <div className={`trouble ${waits ? 'waits' : ''}`} role={waits ? undefined : 'alert'}>
      {waits ? <ClockIcon /> : <AlertIcon />}
      <div>
        <p>{inWords(trouble)}</p>
        {reference && (
          <p className="reference">
            {reference.run === undefined
              ? texts.chatReference(reference.chat)
              : texts.reference(reference.run, reference.chat)}
          </p>
        )}
      </div>
      {retry && (
        <button type="button" onClick={onRetry}>
          {label}
        </button>
      )}
    </div>
  );
}
