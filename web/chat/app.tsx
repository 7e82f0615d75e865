import { useCallback, useEffect, useMemo, useState } from 'react';
import { Chat } from './chat.js';
import { openChat } from './open-chat.js';
import { LargePicturesContext } from './photographs/large-pictures.js';
import { ThumbnailsContext } from './photographs/thumbnail.js';
import { RecordedContext } from './recorded/recorded-context.js';
import { readConfig } from './start/chat-config.js';
import { KeyGate } from './start/key-gate.js';
import type { Served } from './start/served.js';

/** Shows the chat, or asks for its key first when the flow needs one. */
export function App({ served }: { served: Served }) {
  const { name, keyed, origin, brand, inspects } = served;
  const chat = useMemo(() => openChat(served), [served]);
  const { service, tab, conversation, tray, recorded } = chat;
  const [asks, setAsks] = useState(keyed);
  const [key, setKey] = useState(() => (keyed ? (service.key = tab.get<string>('key')) : undefined));
  const config = useMemo(() => readConfig(served.config), [served]);

  useEffect(() => {
    tray.limits = config.photographs ?? tray.limits;
  }, [config, tray]);

  const ready = !asks || key !== undefined;
  useEffect(() => {
    if (!ready) return;
    conversation.takeUp();
    void tray.restore();
    void recorded.refresh();
  }, [ready, conversation, tray, recorded]);

  const onKey = (given: string) => {
    tab.set('key', given);
    service.key = given;
    setKey(given);
    conversation.retry();
    tray.retryAll();
  };
  const onKeyRefused = useCallback(() => {
    tab.set('key', undefined);
    setKey(undefined);
    setAsks(true);
  }, [tab]);

  if (asks && key === undefined) return <KeyGate name={name} brand={brand} service={service} onKey={onKey} />;
  return (
    <ThumbnailsContext value={chat.thumbnails}>
      <LargePicturesContext value={chat.large}>
        <RecordedContext value={chat}>
          <Chat
            name={name}
            origin={origin}
            brand={brand}
            config={config}
            conversation={conversation}
            tray={tray}
            draft={chat.draft}
            {...(inspects ? { inspection: chat.inspection } : {})}
            onRestart={chat.restart}
            onKeyRefused={onKeyRefused}
          />
        </RecordedContext>
      </LargePicturesContext>
    </ThumbnailsContext>
  );
}
