import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { Announcement } from './announcement.js';
import { Chat } from './chat.js';
import { LateChatsSheet } from './chats/late-chats-sheet.js';
import { OpenChats } from './open-chats.js';
import { LargePicturesContext } from './photographs/large-pictures.js';
import { ThumbnailsContext } from './photographs/thumbnail.js';
import { RecordedContext } from './recorded/recorded-context.js';
import { readConfig } from './start/chat-config.js';
import { KeyGate } from './start/key-gate.js';
import type { Served } from './start/served.js';
import { texts } from './texts.js';

/** Shows a chat, or asks for its key first when the flow needs one. */
export function App({ served }: { served: Served }) {
  const { name, keyed, origin, brand, inspects } = served;
  const open = useMemo(() => new OpenChats(served), [served]);
  const { service, tab } = open;
  const chat = useSyncExternalStore(open.subscribe, open.snapshot);
  const listed = useSyncExternalStore(open.chats.subscribe, open.chats.snapshot);
  const [asks, setAsks] = useState(keyed);
  const [key, setKey] = useState(() => (keyed ? (service.key = tab.get<string>('key')) : undefined));
  const [listIsOpen, setListIsOpen] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const config = useMemo(() => readConfig(served.config), [served]);

  // At once, since a photograph may be added from the moment on when its button is there.
  useLayoutEffect(() => {
    chat.tray.limits = config.photographs ?? chat.tray.limits;
  }, [config, chat]);

  const ready = !asks || key !== undefined;
  useEffect(() => {
    if (ready) void open.resume();
  }, [ready, open]);
  const before = useRef(chat);
  useEffect(() => {
    if (before.current === chat) return;
    before.current = chat;
    const isUsed = chat.isUsed();
    const { name: shown = texts.noAddress } = open.chats.find(chat.id) ?? {};
    const begun = inspects ? texts.newInspectionShown : texts.newChatShown;
    setAnnouncement(isUsed ? texts.chatShown(shown) : begun);
    document.querySelector<HTMLElement>(isUsed ? 'main' : '#message')?.focus();
  }, [chat, open, inspects]);

  const onKey = (given: string) => {
    tab.set('key', given);
    service.key = given;
    setKey(given);
    open.retry();
  };
  useLayoutEffect(() => {
    service.onKeyRefused = () => {
      tab.set('key', undefined);
      setKey(undefined);
      setAsks(true);
    };
  }, [service, tab]);

  if (asks && key === undefined) return <KeyGate name={name} brand={brand} service={service} onKey={onKey} />;
  const others = listed.filter(({ id }) => id !== chat.id);
  return (
    <>
      <ThumbnailsContext value={chat.thumbnails}>
        <LargePicturesContext value={chat.large}>
          <RecordedContext value={chat}>
            <Chat
              key={chat.id}
              name={name}
              origin={origin}
              brand={brand}
              config={config}
              conversation={chat.conversation}
              tray={chat.tray}
              outbox={chat.outbox}
              draft={chat.draft}
              inspects={inspects}
              inspection={chat.inspection}
              others={others}
              onShow={open.show}
              onNew={open.showNew}
              onList={() => setListIsOpen(true)}
            />
          </RecordedContext>
        </LargePicturesContext>
      </ThumbnailsContext>
      {listIsOpen && (
        <LateChatsSheet
          chats={open.chats}
          shown={chat.id}
          inspects={inspects}
          onShow={open.show}
          onNew={open.showNew}
          onClose={() => setListIsOpen(false)}
        />
      )}
      <Announcement text={announcement} />
    </>
  );
}
