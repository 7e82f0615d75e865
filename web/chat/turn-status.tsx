import type { ChatState } from './chat-state.js';
import { AlertIcon, OfflineIcon } from '../common/icons.js';
import { inWords, type Trouble } from './trouble.js';

/** How far the turn is, or why it got no further. */
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
        Connection lost. Reconnecting …
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
  const { retry, label = 'Try again' } = trouble;
  return (
    <div className="trouble" role="alert">
      <AlertIcon />
      <p>{inWords(trouble)}</p>
      {retry && (
        <button type="button" onClick={onRetry}>
          {label}
        </button>
      )}
    </div>
  );
}
