import { BrowserStorage } from '../common/browser-storage.js';
import { DeviceDatabase } from './device/device-database.js';
import { DevicePhotographs } from './device/device-photographs.js';
import { Draft } from './device/draft.js';
import { exclusivelyBy } from './device/exclusively.js';
import { OtherTabs } from './device/other-tabs.js';
import { largePicturesOf } from './photographs/large-pictures.js';
import { PhotographTray } from './photographs/photograph-tray.js';
import { Thumbnails } from './photographs/thumbnails.js';
import { Prints } from './recorded/prints.js';
import { RecordedPhotographs } from './recorded/recorded-photographs.js';
import { SessionService } from './recorded/session-service.js';
import type { Served } from './start/served.js';
import { Conversation } from './turns/conversation.js';
import { FlowService } from './turns/service.js';
import { photographsOf, Transcript } from './turns/transcript.js';

/** Builds everything that lives longer than the view, so that asking for the key in between loses nothing. */
export function openChat({ id: flowId, keyed, inspects }: Served) {
  const service = new FlowService(flowId);
  const tab = new BrowserStorage(() => sessionStorage, `chat:${flowId}:`);
  const device = new BrowserStorage(() => localStorage, `chat:${flowId}:`);
  // The messages of a flow with a key are stored for this tab only, not on the device.
  const storage = keyed ? tab : device;
  const thumbnails = new Thumbnails(storage);
  const tabs = new OtherTabs(flowId);
  const conversation = new Conversation(service, device, new Transcript(storage, tab), () => {
    void recorded.refresh();
  });
  const database = new DeviceDatabase();
  const store = new DevicePhotographs(database, flowId);
  const tray = new PhotographTray({
    carry: (file, signal, progress) => service.attach(conversation.storedId(), file, signal, progress),
    chat: {
      flowId,
      id: () => conversation.storedId(),
      adoptId: (id) => conversation.adoptId(id),
      fateOf: (id) => conversation.fateOf(id),
    },
    ...{ store, thumbnails, storage },
    exclusively: exclusivelyBy(database),
    notify: () => tabs.notify('photographs'),
  });
  conversation.keeper = tray;
  const session = { service: new SessionService(flowId, service), session: () => conversation.chatId };
  const recorded = new RecordedPhotographs({
    ...session,
    inspects: () => inspects && conversation.snapshot().messages.length > 0,
    sent: () => photographsOf(conversation.snapshot().messages),
    storage,
    notify: () => tabs.notify('corrected'),
  });
  const prints = new Prints({ ...session, recorded, thumbnails });
  const forget = (elsewhere?: boolean) => {
    thumbnails.forgetAll();
    recorded.forget();
    conversation.restart(elsewhere);
  };
  const restart = () => {
    tray.clear();
    forget();
    tabs.notify('restarted');
  };
  tabs.listen((news) => {
    if (news === 'restarted') forget(true);
    if (news === 'corrected') return void recorded.refresh();
    void tray.refresh();
  });
  // Corrections may have been made in the console, or in a tab whose broadcast this one missed.
  const comeBack = () => {
    conversation.takeOver();
    void recorded.refresh();
  };
  for (const event of ['visibilitychange', 'focus', 'online']) addEventListener(event, comeBack);
  // A turn in another tab has started or ended. A broadcast could arrive before the stored turn does.
  addEventListener('storage', ({ key, newValue }) => {
    if (newValue !== null && key?.startsWith(`chat:${flowId}:turn:`)) comeBack();
  });
  const large = largePicturesOf({
    ...{ store, thumbnails },
    fileOf: tray.fileOf,
    turnOf: (id) => recorded.of(id)?.turn ?? 0,
    print: (id) => prints.large(id),
  });
  const inspection = {
    ...{ flowId, service: session.service, storage },
    sessionId: () => conversation.storedId(),
  };
  const pictures = { thumbnails, recorded, prints, large };
  const draft = new Draft(storage, tab);
  return { service, tab, device, draft, conversation, tray, ...pictures, inspection, restart };
}
