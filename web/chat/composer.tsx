import {
  type FormEvent,
  type RefObject,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { SendIcon, StopIcon } from '../common/icons.js';
import { uniqueId } from '../common/unique-id.js';
import type { Draft } from './device/draft.js';
import { MessageField, typesOnKeyboard, useEarlyWords } from './message-field.js';
import { LostPhotographs } from './photographs/lost-photographs.js';
import { PhotoTray } from './photographs/photo-tray.js';
import { PhotographButtons } from './photographs/photograph-buttons.js';
import type { PhotographTray } from './photographs/photograph-tray.js';
import { RefusedFiles } from './photographs/refused-files.js';
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
  /**
   * Puts the words of a message that was not sent before what is written. Nothing can be sent until the returned function
   * is called, with false to take them back: the photographs of that message come back later.
   */
  insert: (words: string) => (isBack: boolean) => void;
}

interface ComposerProps {
  handle: RefObject<ComposerHandle | null>;
  phase: Phase;
  tray: PhotographTray;
  draft: Draft;
  takesPhotographs: boolean;
  /** The chat records an inspection, whose areas a message may go to. */
  inspects: boolean;
  /** Returns whether a message has no answer yet, and may have one before the next message goes. */
  hasUnanswered: () => boolean;
  /** Resolves once the message is sent or stored on the device. */
  onSend: (input: Input) => Promise<void>;
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
  hasUnanswered,
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
  const [returning, setReturning] = useState(false);
  const target = useNextTarget(hasUnanswered);
  const [choosing, setChoosing] = useState(false);
  const empty = text.trim() === '' && state.photographs.length === 0;
  const hasRefused = state.photographs.some(({ journey }) => journey.at === 'failed' && !journey.again);

  const send = async (area?: string) => {
    if (taking || returning || empty || hasRefused) return;
    setTaking(true);
    const id = uniqueId();
    const photographs = await tray.take(id);
    const words = text.trim();
    // Another tab may have sent the photographs in the meantime.
    if (words !== '' || photographs.length > 0) {
      const named = target.named(photographs.length, area);
      await onSend({ id, text: named === undefined ? words : messageUnder(named, words), photographs });
      target.sent(named);
      setText('');
      // Do not reopen an on-screen keyboard that the person has closed.
      if (text !== '' || typesOnKeyboard()) field.current?.focus();
    }
    setTaking(false);
  };
  useImperativeHandle(handle, () => ({
    sendTo(area) {
      if (empty) return void onSend({ text: area }).then(() => target.sent(area));
      target.choose(area);
      void send(area);
    },
    insert(words) {
      setText([words, text].filter((part) => part !== '').join('\n'));
      setReturning(true);
      return (isBack) => {
        if (!isBack) setText(text);
        setReturning(false);
      };
    },
  }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
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
            <MessageField field={field} text={text} readOnly={taking || returning} onChange={setText} />
            <SendOrStop
              answering={phase !== 'idle'}
              empty={empty}
              taking={taking || returning}
              onStop={onStop}
            />
          </div>
        </div>
      </form>
      {choosing && (
        <Target target={target.area ?? ''} onChoose={target.choose} onClose={() => setChoosing(false)} />
      )}
    </>
  );
}

/**
 * Stop while an answer is under way, and send beside it once something is written. The keys stop React from reusing one
 * button for the other during a click, which would submit the form.
 */
function SendOrStop({
  answering,
  empty,
  taking,
  onStop,
}: {
  answering: boolean;
  empty: boolean;
  taking: boolean;
  onStop: () => void;
}) {
  return (
    <>
      {answering && (
        <button
          key="stop"
          type="button"
          className="round stop"
          aria-label={texts.stop}
          title={texts.stop}
          onClick={onStop}
        >
          <StopIcon />
        </button>
      )}
      {(!answering || !empty) && (
        <button
          key="send"
          type="submit"
          className="round send"
          aria-label={texts.send}
          title={texts.send}
          disabled={empty || taking}
        >
          <SendIcon />
        </button>
      )}
    </>
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
