import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { SendIcon, StopIcon } from '../common/icons.js';
import type { Draft } from './device/draft.js';
import { PhotoTray } from './photographs/photo-tray.js';
import { PhotographButtons } from './photographs/photograph-buttons.js';
import type { PhotographTray, TrayState } from './photographs/photograph-tray.js';
import { isWritingEarly, takeEarlyWords } from './start/early-words.js';
import { texts } from './texts.js';
import type { Phase } from './turns/chat-state.js';
import type { Input } from './turns/input.js';
import { useOnline } from './use-online.js';

interface ComposerProps {
  phase: Phase;
  tray: PhotographTray;
  draft: Draft;
  takesPhotographs: boolean;
  /** Returns false while another message is being sent. */
  onSend: (input: Input) => boolean;
  onStop: () => void;
}

/** Touch keyboards have a send button beside them and need Enter for new lines. */
const typesOnKeyboard = () => matchMedia('(hover: hover) and (pointer: fine)').matches;

/** The form for a message: text, photographs, send or stop. */
export function Composer({ phase, tray, draft, takesPhotographs, onSend, onStop }: ComposerProps) {
  const state = useSyncExternalStore(tray.subscribe, tray.snapshot);
  const online = useOnline();
  const [text, setText] = useDraft(draft);
  const field = useRef<HTMLTextAreaElement>(null);
  useEarlyWords(field, text, setText);
  // Claiming the photographs on the device takes a moment. Nothing else can be sent from the click on.
  const [taking, setTaking] = useState(false);
  const busy = phase !== 'idle' || taking;

  const sendNow = async () => {
    if (busy) return;
    setTaking(true);
    const photographs = await tray.take();
    setTaking(false);
    // Another tab has sent them in the meantime.
    if (text.trim() === '' && photographs.length === 0) return;
    if (!onSend({ text: text.trim(), photographs }))
      return void tray.giveBack(photographs.map(({ id }) => id));
    setText('');
    // Do not reopen an on-screen keyboard that the person has closed.
    if (text !== '' || typesOnKeyboard()) field.current?.focus();
  };
  const [waits, setWaits] = useWaiting(state, () => void sendNow());
  const empty = text.trim() === '' && state.photographs.length === 0;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (busy || empty || waits) return;
    if (state.photographs.every(({ journey }) => journey.at === 'there')) return void sendNow();
    tray.retryAll();
    setWaits(true);
  };
  return (
    <form className="composer" onSubmit={send}>
      {!online && takesPhotographs && (
        <p className="offline" role="status">
          {texts.offline}
        </p>
      )}
      {state.complaint !== '' && (
        <p className="complaint" role="alert">
          {state.complaint}
        </p>
      )}
      {state.refusal && state.photographs.some(({ onDevice }) => !onDevice) && (
        <p className="complaint" role="alert">
          {texts.keepsNothing[state.refusal]}
        </p>
      )}
      <div className="composer-box">
        {state.photographs.length > 0 && <PhotoTray tray={tray} state={state} />}
        <div className="composer-row">
          {takesPhotographs && <PhotographButtons onAdd={tray.add} />}
          <MessageField field={field} text={text} readOnly={waits || taking} onChange={setText} />
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
            {texts.waits}
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
        {texts.message}
      </label>
      <div className="grows" data-text={text}>
        <textarea
          id="message"
          ref={field}
          rows={1}
          value={text}
          readOnly={readOnly}
          placeholder={texts.placeholder}
          enterKeyHint="enter"
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
    </>
  );
}

/** The keys stop React from reusing one button for the other during a click, which would submit the form. */
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
      <button
        key="send"
        type="submit"
        className="round send"
        aria-label={texts.send}
        title={texts.send}
        disabled={empty}
      >
        <SendIcon />
      </button>
    );
  const label = waits ? texts.hold : texts.stop;
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

/** Takes over the text typed into the served page before its script ran, and keeps an on-screen keyboard open. */
function useEarlyWords(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
): void {
  const [writing] = useState(isWritingEarly);
  useLayoutEffect(() => {
    const words = takeEarlyWords();
    if (words !== '') setText([text, words].filter((part) => part !== '').join('\n'));
    if (writing) field.current?.focus();
  }, []);
}

/** Stores the composer's text across a reload and while the key is being entered. */
function useDraft(draft: Draft): [string, (text: string) => void] {
  const [text, setText] = useState(() => draft.read());
  const change = (changed: string) => {
    setText(changed);
    draft.write(changed);
  };
  return [text, change];
}

/** Sends the waiting message once its photographs have arrived. A failed photograph ends the wait. */
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
