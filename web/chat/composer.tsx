import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Phase } from './chat-state.js';
import type { Input } from './conversation.js';
import { SendIcon, StopIcon } from '../common/icons.js';
import type { Kept } from '../common/kept.js';
import { PhotoTray } from './photographs/photo-tray.js';
import { PhotographButtons } from './photographs/photograph-buttons.js';
import type { PhotographTray, TrayState } from './photographs/photograph-tray.js';

interface ComposerProps {
  phase: Phase;
  tray: PhotographTray;
  /** Holds what is being written. */
  kept: Kept;
  takesPhotographs: boolean;
  onSend: (input: Input) => void;
  onStop: () => void;
}

/** Touch keyboards have a send button beside them and need Enter for new lines. */
const typesOnKeyboard = () => matchMedia('(hover: hover) and (pointer: fine)').matches;

/** Where a message is written: words, photographs, send or stop. */
export function Composer({ phase, tray, kept, takesPhotographs, onSend, onStop }: ComposerProps) {
  const state = useSyncExternalStore(tray.subscribe, tray.snapshot);
  const [text, setText] = useDraft(kept);
  const field = useRef<HTMLTextAreaElement>(null);
  const busy = phase !== 'idle';

  const sendNow = () => {
    onSend({ text: text.trim(), photographs: tray.take() });
    setText('');
    // Not where it would open a keyboard on the screen that was closed.
    if (text !== '' || typesOnKeyboard()) field.current?.focus();
  };
  const [waits, setWaits] = useWaiting(state, sendNow);
  const empty = text.trim() === '' && state.photographs.length === 0;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (busy || empty || waits) return;
    if (state.photographs.every(({ journey }) => journey.at === 'there')) return sendNow();
    tray.retryAll();
    setWaits(true);
  };
  return (
    <form className="composer" onSubmit={send}>
      {state.complaint !== '' && (
        <p className="complaint" role="alert">
          {state.complaint}
        </p>
      )}
      <div className="composer-box">
        {state.photographs.length > 0 && <PhotoTray tray={tray} state={state} />}
        <div className="composer-row">
          {takesPhotographs && <PhotographButtons onAdd={tray.add} />}
          <MessageField field={field} text={text} readOnly={waits} onChange={setText} />
          <SendOrStop
            busy={busy}
            waits={waits}
            empty={empty}
            onStop={onStop}
            onHold={() => setWaits(false)}
          />
        </div>
        {waits && (
          <p className="waits" role="status">
            Your message goes as soon as its photographs have arrived.
          </p>
        )}
      </div>
    </form>
  );
}

function MessageField({
  field,
  text,
  readOnly,
  onChange,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  readOnly: boolean;
  onChange: (text: string) => void;
}) {
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !typesOnKeyboard())
      return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <>
      <label htmlFor="message" className="hidden">
        Message
      </label>
      <div className="grows" data-text={text}>
        <textarea
          id="message"
          ref={field}
          rows={1}
          value={text}
          readOnly={readOnly}
          placeholder="Write a message"
          enterKeyHint="enter"
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
    </>
  );
}

/** Keys, because one must not become the other under the very click that changes them: it would send. */
function SendOrStop({
  busy,
  waits,
  empty,
  onStop,
  onHold,
}: {
  busy: boolean;
  waits: boolean;
  empty: boolean;
  onStop: () => void;
  onHold: () => void;
}) {
  if (!busy && !waits)
    return (
      <button key="send" type="submit" className="round send" aria-label="Send" title="Send" disabled={empty}>
        <SendIcon />
      </button>
    );
  const label = waits ? 'Do not send yet' : 'Stop';
  return (
    <button
      key="stop"
      type="button"
      className="round stop"
      aria-label={label}
      title={label}
      onClick={waits ? onHold : onStop}
    >
      <StopIcon />
    </button>
  );
}

/** What is being written outlives the page, and the key that was asked for in between. */
function useDraft(kept: Kept): [string, (text: string) => void] {
  const [text, setText] = useState(() => kept.get<string>('draft') ?? '');
  const change = (changed: string) => {
    setText(changed);
    kept.set('draft', changed === '' ? undefined : changed);
  };
  return [text, change];
}

/** A message waits for its photographs to arrive; one that cannot arrive holds it back. */
function useWaiting({ photographs }: TrayState, sendNow: () => void): [boolean, (waits: boolean) => void] {
  const [waits, setWaits] = useState(false);
  const failed = photographs.some(({ journey }) => journey.at === 'failed');
  const ready = photographs.every(({ journey }) => journey.at === 'there');
  useEffect(() => {
    if (!waits || (!failed && !ready)) return;
    setWaits(false);
    if (ready) sendNow();
  }, [waits, failed, ready]);
  return [waits, setWaits];
}
