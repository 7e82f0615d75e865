import { useCallback, useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Brand, wearBrand } from './brand.js';
import { Chat } from './chat.js';
import './chat.css';
import type { ChatConfig } from './chat-config.js';
import { Conversation } from './conversation.js';
import { fitViewport } from './fit-viewport.js';
import { KeyGate } from './key-gate.js';
import { Kept } from '../common/kept.js';
import { PhotographTray } from './photographs/photograph-tray.js';
import { ThumbnailsContext } from './photographs/thumbnail.js';
import { Thumbnails } from './photographs/thumbnails.js';
import { FlowService } from './service.js';
import { Transcript } from './transcript.js';

/** What the page was served with. */
interface Served {
  id: string;
  name: string;
  /** The flow asks for a key. */
  keyed: boolean;
  /** Under which the service writes its links. */
  origin: string;
  brand: Brand;
}

const plain: ChatConfig = { starterPrompts: [] };

/** Everything that outlives what is shown: a key that is asked for in between loses nothing. */
function chatOf({ id, keyed }: Served) {
  const service = new FlowService(id);
  const tab = new Kept(() => sessionStorage, `chat:${id}:`);
  const device = new Kept(() => localStorage, `chat:${id}:`);
  // What needed a key to be said is not left on the device.
  const kept = keyed ? tab : device;
  const thumbnails = new Thumbnails(kept);
  const conversation = new Conversation(service, device, new Transcript(kept));
  const tray = new PhotographTray(
    (file, signal, progress) => service.attach(conversation.keptId(), file, signal, progress),
    thumbnails,
    kept,
  );
  const restart = () => {
    tray.clear();
    thumbnails.forgetAll();
    conversation.restart();
  };
  return { service, tab, kept, thumbnails, conversation, tray, restart };
}

function App({ served }: { served: Served }) {
  const { name, keyed, origin, brand } = served;
  const chat = useMemo(() => chatOf(served), [served]);
  const { service, tab, conversation, tray } = chat;
  const [asks, setAsks] = useState(keyed);
  const [key, setKey] = useState(() => (keyed ? (service.key = tab.get<string>('key')) : undefined));
  const [config, setConfig] = useState<ChatConfig>();

  useEffect(() => {
    const take = (given: ChatConfig) => {
      tray.limits = given.photographs ?? tray.limits;
      setConfig(given);
    };
    service.config().then(take, () => take(plain));
  }, [service, tray]);

  const ready = config !== undefined && (!asks || key !== undefined);
  useEffect(() => {
    if (ready) conversation.takeUp();
  }, [ready, conversation]);

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
  if (!config) return null;
  return (
    <ThumbnailsContext value={chat.thumbnails}>
      <Chat
        name={name}
        origin={origin}
        brand={brand}
        config={config}
        conversation={conversation}
        tray={tray}
        kept={chat.kept}
        onRestart={chat.restart}
        onKeyRefused={onKeyRefused}
      />
    </ThumbnailsContext>
  );
}

const meta = document.querySelector<HTMLMetaElement>('meta[name=chat]')!.content;
const served = JSON.parse(meta) as Served;
wearBrand(served.brand);
fitViewport();
createRoot(document.getElementById('chat')!).render(<App served={served} />);
