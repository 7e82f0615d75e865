import { useEffect, useSyncExternalStore } from 'react';
import type { ChatState } from './chat-state.js';
import type { ChatConfig } from './chat-config.js';
import { Composer } from './composer.js';
import type { Conversation, Input } from './conversation.js';
import { DownIcon, ImagesIcon } from '../common/icons.js';
import type { Kept } from '../common/kept.js';
import { MessageView } from './message-view.js';
import { NewChat } from './new-chat.js';
import { NextSteps } from './next-steps.js';
import type { PhotographTray } from './photographs/photograph-tray.js';
import type { Brand } from './brand.js';
import { TurnStatus } from './turn-status.js';
import { useIncomingFiles } from './use-incoming-files.js';
import { useStickToEnd } from './use-stick-to-end.js';
import { Welcome } from './welcome.js';

interface ChatProps {
  name: string;
  /** Under which the service writes its links. */
  origin: string;
  brand: Brand;
  config: ChatConfig;
  conversation: Conversation;
  tray: PhotographTray;
  /** Holds what is being written. */
  kept: Kept;
  onRestart: () => void;
  onKeyRefused: () => void;
}

/** The chat itself: header, messages, composer. */
export function Chat({ name, origin, brand, config, conversation, tray, kept, ...on }: ChatProps) {
  const state = useSyncExternalStore(conversation.subscribe, conversation.snapshot);
  const { list, away, toEnd, onScroll } = useStickToEnd(state);
  const over = useIncomingFiles(tray.add);
  useKeyRefusal(state.trouble?.asksKey === true, tray, on.onKeyRefused);
  const { messages, phase } = state;

  const send = (input: Input) => {
    conversation.send(input);
    toEnd();
  };
  return (
    <div className="chat">
      <header className="head">
        {brand.logo !== undefined && <img className="logo" src={brand.logo} alt="" />}
        <h1>{name}</h1>
        {messages.length > 0 && <NewChat onRestart={on.onRestart} />}
      </header>
      <main className="scroller" ref={list} onScroll={onScroll} tabIndex={-1}>
        <div className="messages">
          {messages.length === 0 && <Welcome name={name} brand={brand} config={config} onSend={send} />}
          <Messages state={state} origin={origin} />
          <TurnStatus state={state} onRetry={() => conversation.retry()} />
          {phase === 'idle' && <NextSteps state={state} onSend={send} />}
        </div>
      </main>
      {away && (
        <button
          type="button"
          className="round to-end"
          aria-label="To the latest message"
          onClick={() => toEnd('smooth')}
        >
          <DownIcon />
        </button>
      )}
      {(messages.length > 0 || !config.form) && (
        <Composer
          phase={phase}
          tray={tray}
          kept={kept}
          takesPhotographs={config.photographs !== undefined}
          onSend={send}
          onStop={() => conversation.stop()}
        />
      )}
      {over && <DropTarget takesPhotographs={config.photographs !== undefined} />}
      <p className="hidden" role="status">
        {state.announcement}
      </p>
    </div>
  );
}

function Messages({ state: { messages, phase }, origin }: { state: ChatState; origin: string }) {
  return messages.map((message, index) => (
    <MessageView
      key={message.id}
      message={message}
      origin={origin}
      growing={phase === 'answering' && index === messages.length - 1}
    />
  ));
}

function DropTarget({ takesPhotographs }: { takesPhotographs: boolean }) {
  return (
    <div className="drop">
      <p>
        <ImagesIcon />
        {takesPhotographs ? 'Drop photographs to add them' : 'This chat takes no photographs'}
      </p>
    </div>
  );
}

/** A message or a photograph was refused for want of the key. */
function useKeyRefusal(refused: boolean, tray: PhotographTray, onKeyRefused: () => void): void {
  const { photographs } = useSyncExternalStore(tray.subscribe, tray.snapshot);
  const asks = refused || photographs.some(({ journey }) => journey.at === 'failed' && journey.asksKey);
  useEffect(() => {
    if (asks) onKeyRefused();
  }, [asks, onKeyRefused]);
}
