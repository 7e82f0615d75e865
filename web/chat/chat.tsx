import { type DragEvent, useEffect, useState, useSyncExternalStore } from 'react';
import { Composer } from './composer.js';
import type { ChatState, Conversation, Input } from './conversation.js';
import { AlertIcon, DownIcon, HouseIcon, NewChatIcon } from './icons.js';
import { MessageView } from './message-view.js';
import { photographsInWords } from './photographs.js';
import type { ChatConfig } from './service.js';
import { StartForm } from './start-form.js';
import { usePhotographs } from './use-photographs.js';
import { useStickToEnd } from './use-stick-to-end.js';

interface ChatProps {
  name: string;
  /** Under which the service writes its links. */
  origin: string;
  config: ChatConfig;
  conversation: Conversation;
  onKeyRefused: () => void;
}

/** The chat itself: header, messages, composer. */
export function Chat({ name, origin, config, conversation, onKeyRefused }: ChatProps) {
  const state = useSyncExternalStore(conversation.subscribe, conversation.snapshot);
  const tray = usePhotographs();
  const { list, away, toEnd, onScroll } = useStickToEnd(state);
  const drop = useDrop(config.photographs, tray.add);
  const { messages, phase, trouble } = state;

  useEffect(() => {
    if (trouble?.asksKey) onKeyRefused();
  }, [trouble, onKeyRefused]);

  const send = (input: Input) => {
    conversation.send(input);
    toEnd();
  };
  return (
    <div className="chat" {...drop.handlers}>
      <header className="head">
        <h1>{name}</h1>
        {messages.length > 0 && (
          <button type="button" className="quiet-button" onClick={() => restart(conversation)}>
            <NewChatIcon />
            New chat
          </button>
        )}
      </header>
      <main className="scroller" ref={list} onScroll={onScroll} tabIndex={-1}>
        <div className="messages">
          {messages.length === 0 && <Welcome name={name} config={config} onSend={send} />}
          {messages.map((message, index) => (
            <MessageView
              key={message.id}
              message={message}
              origin={origin}
              growing={phase === 'answering' && index === messages.length - 1}
            />
          ))}
          <Progress state={state} />
          {trouble && <TroubleView trouble={trouble} onRetry={() => conversation.retry()} />}
          {phase === 'idle' && <Next state={state} onSend={send} />}
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
          takesPhotographs={config.photographs}
          onSend={send}
          onStop={() => conversation.stop()}
        />
      )}
      {drop.over && <div className="drop">Drop photographs here</div>}
      <p className="hidden" role="status">
        {state.announcement}
      </p>
    </div>
  );
}

function restart(conversation: Conversation): void {
  if (confirm('Begin a new chat? This one is closed.')) conversation.restart();
  document.getElementById('message')?.focus();
}

function Welcome({
  name,
  config,
  onSend,
}: {
  name: string;
  config: ChatConfig;
  onSend: (input: Input) => void;
}) {
  if (config.form) return <StartForm form={config.form} onSend={(form) => onSend({ text: '', form })} />;
  return (
    <div className="welcome">
      <HouseIcon />
      <h2>{name}</h2>
      <p>
        {config.photographs ? 'Write a message or add photographs to begin.' : 'Write a message to begin.'}
      </p>
      <Chips prompts={config.starterPrompts} onSend={onSend} />
    </div>
  );
}

function Chips({ prompts, onSend }: { prompts: readonly string[]; onSend: (input: Input) => void }) {
  if (prompts.length === 0) return null;
  return (
    <div className="chips">
      {prompts.map((prompt) => (
        <button key={prompt} type="button" className="chip" onClick={() => onSend({ text: prompt })}>
          {prompt}
        </button>
      ))}
    </div>
  );
}

/** What the flow suggests to say next, or asks to decide. */
function Next({
  state: { followUps, decision },
  onSend,
}: {
  state: ChatState;
  onSend: (input: Input) => void;
}) {
  if (!decision) return <Chips prompts={followUps} onSend={onSend} />;
  return (
    <div className="chips">
      {decision.choices.map(({ type, label }) => (
        <button
          key={type}
          type="button"
          className={`chip ${type}`}
          onClick={() => {
            const node = decision.startNodeId === undefined ? {} : { startNodeId: decision.startNodeId };
            onSend({ text: label, humanInput: { type, ...node } });
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

function Progress({ state: { phase, upload, messages } }: { state: ChatState }) {
  if (phase === 'idle' || phase === 'answering') return null;
  if (phase === 'reconnecting') return <p className="note">Connection lost. Reconnecting …</p>;
  const photographs = messages.findLast(({ from }) => from === 'person')?.photographs ?? 0;
  if (phase === 'sending' && upload && photographs > 0) {
    const percent = Math.floor((upload.sent / upload.total) * 100);
    return (
      <div className="upload">
        <label htmlFor="upload">
          Sending {photographsInWords(photographs)} <span>{percent}%</span>
        </label>
        <progress id="upload" max={100} value={percent} />
      </div>
    );
  }
  return (
    <p className="dots" aria-hidden="true">
      <i />
      <i />
      <i />
    </p>
  );
}

function TroubleView({
  trouble,
  onRetry,
}: {
  trouble: NonNullable<ChatState['trouble']>;
  onRetry: () => void;
}) {
  return (
    <div className="trouble" role="alert">
      <AlertIcon />
      <p>{trouble.sentence}</p>
      {trouble.retry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Photographs dropped anywhere on the chat are added to the message. */
function useDrop(wanted: boolean, add: (files: readonly File[]) => void) {
  const [over, setOver] = useState(false);
  if (!wanted) return { over: false, handlers: {} };
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return {
    over,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event: DragEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        add([...event.dataTransfer.files]);
      },
    },
  };
}
