import {
  type FormEvent,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { SendIcon, StopIcon } from '../common/icons.js';
import type { Draft } from './device/draft.js';
import { MessageField, typesOnKeyboard, useEarlyWords } from './message-field.js';
import { LostPhotographs } from './photographs/lost-photographs.js';
import { PhotoTray } from './photographs/photo-tray.js';
import { PhotographButtons } from './photographs/photograph-buttons.js';
import type { PhotographTray } from './photographs/photograph-tray.js';
import { RefusedFiles } from './photographs/refused-files.js';
import type { TrayState } from './photographs/tray-parts.js';
import { Target } from './recorded/late-sheets.js';
import { TargetButton, useNextTarget } from './recorded/target-area.js';
import { messageUnder } from './recorded/usual-areas.js';
import { texts } from './texts.js';
import type { Phase } from './turns/chat-state.js';
import type { Input } from './turns/input.js';
import { useOnline } from './use-online.js';

/** The steps of the composer that other parts of the chat take. */
export interface ComposerHandle {
  /** Sends what is ready, or else the name of the area alone. */
  sendTo: (area: string) => void;
}

interface ComposerProps {
  handle: RefObject<ComposerHandle | null>;
  phase: Phase;
  tray: PhotographTray;
  draft: Draft;
  takesPhotographs: boolean;
  /** The chat records an inspection, whose areas a message may go to. */
  inspects: boolean;
  /** Returns false while another message is being sent. */
  onSend: (input: Input) => boolean;
  onStop: () => void;
}

/** The form for a message: text, photographs, send or stop. */
export function Composer({
  handle,
  phase,
  tray,
  draft,
  takesPhotographs,
  inspects,
  onSend,
  onStop,
}: ComposerProps) {
  const state = useSyncExternalStore(tray.subscribe, tray.snapshot);
  const online = useOnline();
  const [text, setText] = useDraft(draft);
  const field = useRef<HTMLTextAreaElement>(null);
  useEarlyWords(field, text, setText);
  // Claiming the photographs on the device takes a moment. Nothing else can be sent from the click on.
  const [taking, setTaking] = useState(false);
  const target = useNextTarget();
  const [choosing, setChoosing] = useState(false);
  const busy = phase !== 'idle' || taking;

  const sendNow = async (area?: string) => {
    if (busy) return;
    setTaking(true);
    const photographs = await tray.take();
    setTaking(false);
    // Another tab has sent them in the meantime.
    if (text.trim() === '' && photographs.length === 0) return;
    const named = target.named(photographs.length, area);
    const words = text.trim();
    if (!onSend({ text: named === undefined ? words : messageUnder(named, words), photographs }))
      return void tray.giveBack(photographs.map(({ id }) => id));
    target.sent(named);
    setText('');
    // Do not reopen an on-screen keyboard that the person has closed.
    if (text !== '' || typesOnKeyboard()) field.current?.focus();
  };
  const [waits, setWaits] = useWaiting(state, () => void sendNow());
  const empty = text.trim() === '' && state.photographs.length === 0;
  const send = (area?: string) => {
    if (busy || empty || waits) return;
    if (state.photographs.every(({ journey }) => journey.at === 'there')) return void sendNow(area);
    tray.retryAll();
    setWaits(true);
  };
  useImperativeHandle(handle, () => ({
    sendTo(area) {
      if (empty) return void (onSend({ text: area }) && target.sent(area));
      target.choose(area);
      send(area);
    },
  }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const shows = inspects && (target.area !== undefined || state.photographs.length > 0);
  return (
    <>
      <form className="composer" onSubmit={submit}>
        {!online && takesPhotographs && (
          <p className="offline" role="status">
            {texts.offline}
          </p>
        )}
        <RefusedFiles list={tray.refusedFiles} />
        <LostPhotographs lost={state.lost} onDismiss={tray.dismissLost} />
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
          {shows && <TargetButton area={target.area} onOpen={() => setChoosing(true)} />}
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
      {choosing && (
        <Target target={target.area ?? ''} onChoose={target.choose} onClose={() => setChoosing(false)} />
      )}
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
