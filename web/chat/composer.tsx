import {
  type ChangeEvent,
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  useRef,
  useState,
} from 'react';
import type { Input, Phase } from './conversation.js';
import { CameraIcon, ImagesIcon, SendIcon, StopIcon } from './icons.js';
import { PhotoTray } from './photo-tray.js';
import type { usePhotographs } from './use-photographs.js';

/** Touch keyboards have a send button beside them and need Enter for new lines. */
const typesOnKeyboard = () => matchMedia('(hover: hover) and (pointer: fine)').matches;

/** Where a message is written: words, photographs, send or stop. */
export function Composer({
  phase,
  tray,
  takesPhotographs,
  onSend,
  onStop,
}: {
  phase: Phase;
  tray: ReturnType<typeof usePhotographs>;
  takesPhotographs: boolean;
  onSend: (input: Input) => void;
  onStop: () => void;
}) {
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const busy = phase !== 'idle';
  const empty = text.trim() === '' && tray.photographs.length === 0;

  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (busy || empty) return;
    onSend({ text: text.trim(), photographs: tray.take() });
    setText('');
    // Not where it would open a keyboard on the screen that was closed.
    if (text !== '' || typesOnKeyboard()) field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !typesOnKeyboard())
      return;
    send(event);
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0 || !takesPhotographs) return;
    event.preventDefault();
    tray.add(files);
  };

  return (
    <form className="composer" onSubmit={send}>
      {tray.complaint !== '' && (
        <p className="complaint" role="alert">
          {tray.complaint}
        </p>
      )}
      <div className="composer-box">
        {tray.photographs.length > 0 && (
          <PhotoTray photographs={tray.photographs} onRemove={tray.remove} onClear={tray.clear} />
        )}
        <div className="composer-row">
          {takesPhotographs && <PhotographButtons onAdd={tray.add} />}
          <label htmlFor="message" className="hidden">
            Message
          </label>
          <div className="grows" data-text={text}>
            <textarea
              id="message"
              ref={field}
              rows={1}
              value={text}
              placeholder={tray.photographs.length > 0 ? 'Add a note' : 'Write a message'}
              enterKeyHint="enter"
              onChange={(event) => setText(event.target.value)}
              onKeyDown={onKeyDown}
              onPaste={onPaste}
            />
          </div>
          {busy ? (
            <button type="button" className="round stop" aria-label="Stop" title="Stop" onClick={onStop}>
              <StopIcon />
            </button>
          ) : (
            <button type="submit" className="round send" aria-label="Send" title="Send" disabled={empty}>
              <SendIcon />
            </button>
          )}
        </div>
      </div>
    </form>
  );
}

function PhotographButtons({ onAdd }: { onAdd: (files: readonly File[]) => void }) {
  const gallery = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onAdd([...(target.files ?? [])]);
    target.value = '';
  };
  return (
    <>
      <input
        ref={gallery}
        type="file"
        aria-label="Photographs"
        accept="image/*,.heic,.heif"
        multiple
        hidden
        onChange={onChange}
      />
      <input
        ref={camera}
        type="file"
        aria-label="Camera"
        accept="image/*"
        capture="environment"
        hidden
        onChange={onChange}
      />
      <button
        type="button"
        className="round"
        aria-label="Add photographs"
        title="Add photographs"
        onClick={() => gallery.current?.click()}
      >
        <ImagesIcon />
      </button>
      <button
        type="button"
        className="round camera"
        aria-label="Take a photograph"
        title="Take a photograph"
        onClick={() => camera.current?.click()}
      >
        <CameraIcon />
      </button>
    </>
  );
}
