import { Fragment, useEffect, useRef, useSyncExternalStore } from 'react';
import { DownIcon, ImagesIcon, ListIcon } from '../common/icons.js';
import { Announcement } from './announcement.js';
import type { ListedChat } from './chats/device-chats.js';
import { loadChatsSheet } from './chats/late-chats-sheet.js';
import { Unfinished } from './chats/unfinished.js';
import { Composer, type ComposerHandle } from './composer.js';
import type { Draft } from './device/draft.js';
import { InspectionButtons } from './inspection/inspection-buttons.js';
import type { InspectionPlace } from './inspection/place.js';
import { WaitingMessages } from './late-views.js';
import { typesOnKeyboard } from './message-field.js';
import { NextSteps } from './next-steps.js';
import type { Outbox, WaitingMessage } from './outbox/outbox.js';
import type { PhotographTray } from './photographs/photograph-tray.js';
import { CorrectionStatus } from './recorded/correction-status.js';
import { MoveBatch } from './recorded/move-batch.js';
import type { Brand } from './start/brand.js';
import type { ChatConfig } from './start/chat-config.js';
import { Welcome } from './start/welcome.js';
import { texts } from './texts.js';
import type { ChatState } from './turns/chat-state.js';
import type { Conversation } from './turns/conversation.js';
import type { Input } from './turns/input.js';
import { MessageView } from './turns/message-view.js';
import { TurnStatus } from './turns/turn-status.js';
import { useIncomingFiles } from './use-incoming-files.js';
import { useStickToEnd } from './use-stick-to-end.js';

interface ChatProps {
  name: string;
  /** The origin in the links that the service writes. */
  origin: string;
  brand: Brand;
  config: ChatConfig;
  conversation: Conversation;
  tray: PhotographTray;
  outbox: Outbox;
  draft: Draft;
  /** The flow records an inspection. */
  inspects: boolean;
  inspection: InspectionPlace;
  /** The other chats on this device. */
  others: readonly ListedChat[];
  /** Shows another chat. */
  onShow: (id: string) => void;
  /** Shows a new chat. */
  onNew: () => void;
  /** Opens the list of the chats. */
  onList: () => void;
}

/** The chat itself: header, messages, composer. */
export function Chat({
  name,
  origin,
  brand,
  config,
  conversation,
  tray,
  outbox,
  draft,
  inspects,
  inspection,
  others,
  ...on
}: ChatProps) {
  const state = useSyncExternalStore(conversation.subscribe, conversation.snapshot);
  const { list, away, toEnd, onScroll } = useStickToEnd(state);
  const over = useIncomingFiles(tray.add);
  const { messages, phase } = state;
  const unsent = useSyncExternalStore(tray.subscribe, tray.snapshot).photographs.length;

  const composer = useRef<ComposerHandle>(null);
  const { waiting } = useSyncExternalStore(outbox.subscribe, outbox.snapshot);
  const hasBegun = messages.length > 0 || waiting.length > 0;
  const send = async (input: Input) => {
    const sent = outbox.send(input);
    toEnd();
    await sent;
    toEnd();
  };
  /** Returns an unsent message to the composer: its words first, so that they are never nowhere. */
  const edit = async ({ id, text }: WaitingMessage) => {
    const ended = composer.current?.insert(text);
    let isBack = true;
    try {
      isBack = await outbox.edit(id);
    } finally {
      ended?.(isBack);
    }
  };
  /** Sends from a button that its answer removes: the focus would fall to the body of the page. */
  const sendFrom = (step: () => unknown) => {
    step();
    const field = typesOnKeyboard() ? document.getElementById('message') : null;
    (field ?? list.current)?.focus({ preventScroll: true });
  };
  return (
    <div className="chat">
      <header className="head">
        {brand.logo !== undefined && <img className="logo" src={brand.logo} alt="" />}
        <h1>{name}</h1>
        {messages.length > 0 && inspects && (
          <InspectionButtons
            place={inspection}
            answered={phase === 'idle' ? messages.length : 0}
            onArea={(area) => composer.current?.sendTo(area)}
          />
        )}
        {(hasBegun || unsent + others.length > 0) && (
          <ListButton label={inspects ? texts.inspections : texts.chats} onClick={on.onList} />
        )}
      </header>
      <main className="scroller" ref={list} onScroll={onScroll} tabIndex={-1}>
        <div className="messages">
          {!hasBegun && (
            <Welcome
              name={name}
              brand={brand}
              config={config}
              onSend={(input) => sendFrom(() => send(input))}
            >
              {inspects && <Unfinished chats={others} onShow={on.onShow} />}
            </Welcome>
          )}
          <Messages state={state} origin={origin} />
          <TurnStatus state={state} onRetry={() => sendFrom(() => conversation.retry())} />
          <WaitingMessages
            outbox={outbox}
            conversation={conversation}
            tray={tray}
            onEdit={(message) => void edit(message)}
          />
          {phase === 'idle' && waiting.length === 0 && (
            <NextSteps
              state={state}
              photographs={unsent}
              onSend={(input) => sendFrom(() => send(input))}
              onNew={on.onNew}
              onArea={inspects ? (area) => sendFrom(() => composer.current?.sendTo(area)) : undefined}
            />
          )}
        </div>
      </main>
      {away && (
        <div className="above-composer">
          <button
            type="button"
            className="round to-end"
            aria-label={texts.toLatest}
            onClick={() => toEnd('smooth')}
          >
            <DownIcon />
          </button>
        </div>
      )}
      {(hasBegun || !config.form) && (
        <Composer
          handle={composer}
          phase={phase}
          tray={tray}
          draft={draft}
          takesPhotographs={config.photographs !== undefined}
          inspects={inspects && messages.length > 0}
          hasUnanswered={() => waiting.length > 0 || !conversation.isFree()}
          onSend={send}
          onStop={() => conversation.stop()}
        />
      )}
      {over && <DropTarget takesPhotographs={config.photographs !== undefined} />}
      <Announcement text={state.announcement} />
      <CorrectionStatus />
    </div>
  );
}

function ListButton({ label, onClick }: { label: string; onClick: () => void }) {
  // Load the list early, so that it also opens offline.
  useEffect(() => void loadChatsSheet(), []);
  return (
    <button type="button" className="quiet-button" title={label} onClick={onClick}>
      <ListIcon />
      <span>{label}</span>
    </button>
  );
}

function Messages({ state: { messages, phase }, origin }: { state: ChatState; origin: string }) {
  return messages.map((message, index) => {
    const { photographs } = messages[index - 1] ?? {};
    return (
      <Fragment key={message.id}>
        <MessageView
          message={message}
          origin={origin}
          growing={phase === 'answering' && index === messages.length - 1}
        />
        {message.from === 'flow' && photographs && <MoveBatch photographs={photographs} />}
      </Fragment>
    );
  });
}

function DropTarget({ takesPhotographs }: { takesPhotographs: boolean }) {
  return (
    <div className="drop">
      <p>
        <ImagesIcon />
        {takesPhotographs ? texts.drop : texts.dropNone}
      </p>
    </div>
  );
}
