import { useRef } from 'react';
import { NewChatIcon } from '../common/icons.js';

/** Begins a new chat, once the person has said that this one may go. */
export function NewChat({ onRestart }: { onRestart: () => void }) {
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
        <span>New chat</span>
      </button>
      <dialog
        ref={dialog}
        className="dialog"
        aria-labelledby="new-chat-title"
        aria-describedby="new-chat-text"
        onClick={({ target, currentTarget }) => target === currentTarget && close()}
      >
        <div className="dialog-body">
          <h2 id="new-chat-title">Begin a new chat?</h2>
          <p id="new-chat-text">This one is closed and leaves this device.</p>
          <div className="dialog-buttons">
            <button type="button" className="secondary" onClick={close}>
              Keep this chat
            </button>
            <button type="button" className="primary" onClick={begin}>
              Begin a new chat
            </button>
          </div>
        </div>
      </dialog>
    </>
  );
}
