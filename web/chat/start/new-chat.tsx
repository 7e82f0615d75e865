import { useRef } from 'react';
import { NewChatIcon } from '../../common/icons.js';
import { texts } from '../texts.js';

/** Starts a new chat after a confirmation, since this one is deleted. */
export function NewChat({ unsent, onRestart }: { unsent: number; onRestart: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  const begin = () => {
    close();
    onRestart();
    document.getElementById('message')?.focus();
  };
  return (
    <>
      <button type="button" className="quiet-button" onClick={() => dialog.current?.showModal()}>
        <NewChatIcon />
        <span>{texts.newChat}</span>
      </button>
      <dialog
        ref={dialog}
        className="dialog"
        aria-labelledby="new-chat-title"
        aria-describedby="new-chat-text"
        onClick={({ target, currentTarget }) => target === currentTarget && close()}
      >
        <div className="dialog-body">
          <h2 id="new-chat-title">{texts.newChatTitle}</h2>
          <p id="new-chat-text">
            {texts.newChatText}
            {unsent > 0 && ` ${texts.newChatLoses(texts.photographs(unsent))}`}
          </p>
          <div className="dialog-buttons">
            <button type="button" className="secondary" onClick={close}>
              {texts.keepChat}
            </button>
            <button type="button" className="primary" onClick={begin}>
              {texts.beginChat}
            </button>
          </div>
        </div>
      </dialog>
    </>
  );
}
