import { AlertIcon } from '../../common/icons.js';
import { texts } from '../texts.js';
import type { RefusedFile } from './photograph.js';

/** Names each chosen file that cannot be sent, with what to do, until the person has read it. */
export function RefusedFiles({ files, onDismiss }: { files: readonly RefusedFile[]; onDismiss: () => void }) {
  if (files.length === 0) return null;
  return (
    <div className="complaint lost" role="alert">
      <ul className="refused-files" aria-label={texts.refusedFiles}>
        {files.map(({ id, name, sentence }) => (
          <li key={id}>
            <AlertIcon />
            <span>{texts.leftOut(name, sentence)}</span>
          </li>
        ))}
      </ul>
      <button type="button" className="quiet-button" onClick={onDismiss}>
        {texts.dismiss}
      </button>
    </div>
  );
}
