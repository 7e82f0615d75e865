import { OfflineIcon } from '../../common/icons.js';
import { texts } from '../texts.js';

/** Shown offline instead of a chat that was never opened on this device. */
export function NeverOpened() {
  return (
    <main className="gate">
      <div className="gate-card">
        <span className="gate-mark">
          <OfflineIcon />
        </span>
        <p>{texts.neverOpened}</p>
        <button type="button" className="primary" onClick={() => location.reload()}>
          {texts.tryAgain}
        </button>
      </div>
    </main>
  );
}
