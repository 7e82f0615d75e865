import { OfflineIcon } from '../../common/icons.js';
import { texts } from '../texts.js';

/** Shown without a connection in the place of a chat that this device does not know. */
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
