import { useCallback, useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Chat } from './chat.js';
import './chat.css';
import { Conversation } from './conversation.js';
import { KeyGate } from './key-gate.js';
import { Kept } from './kept.js';
import { type ChatConfig, FlowService } from './service.js';
import { Transcript } from './transcript.js';

/** What the page was served with. */
interface Served {
  id: string;
  name: string;
  /** The flow asks for a key. */
  keyed: boolean;
  /** Under which the service writes its links. */
  origin: string;
}

const plain: ChatConfig = { starterPrompts: [], photographs: false };

function App({ id, name, keyed, origin }: Served) {
  const service = useMemo(() => new FlowService(id), [id]);
  const tab = useMemo(() => new Kept(() => sessionStorage, `chat:${id}:`), [id]);
  const conversation = useMemo(() => {
    const device = new Kept(() => localStorage, `chat:${id}:`);
    // What needed a key to be said is not left on the device.
    return new Conversation(service, device, new Transcript(keyed ? tab : device));
  }, [id, keyed, service, tab]);
  const [asks, setAsks] = useState(keyed);
  const [key, setKey] = useState(() => (keyed ? (service.key = tab.get<string>('key')) : undefined));
  const [config, setConfig] = useState<ChatConfig>();

  useEffect(() => {
    service.config().then(setConfig, () => setConfig(plain));
  }, [service]);

  const ready = config !== undefined && (!asks || key !== undefined);
  useEffect(() => {
    if (ready) conversation.takeUp();
  }, [ready, conversation]);

  const onKey = useCallback(
    (given: string) => {
      tab.set('key', given);
      service.key = given;
      setKey(given);
      conversation.retry();
    },
    [tab, service, conversation],
  );
  const onKeyRefused = useCallback(() => {
    tab.set('key', undefined);
    setKey(undefined);
    setAsks(true);
  }, [tab]);

  if (asks && key === undefined) return <KeyGate name={name} service={service} onKey={onKey} />;
  if (!config) return null;
  return (
    <Chat
      name={name}
      origin={origin}
      config={config}
      conversation={conversation}
      onKeyRefused={onKeyRefused}
    />
  );
}

const served = document.querySelector<HTMLMetaElement>('meta[name=chat]')!.content;
createRoot(document.getElementById('chat')!).render(<App {...(JSON.parse(served) as Served)} />);
