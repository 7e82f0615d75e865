import { useSyncExternalStore } from 'react';
import { AlertIcon } from '../../common/icons.js';
import { texts } from '../texts.js';
import type { RefusedFileList } from './refused-file-list.js';

/** Names each chosen file that cannot be sent, with what to do, until the person has read it. */
export function RefusedFiles({ list }: { list: RefusedFileList }) {
  const files = useSyncExternalStore(list.subscribe, list.snapshot);
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
      <button type="button" className="quiet-button" onClick={list.dismiss}>
        {texts.dismiss}
      </button>
    </div>
  );
}
