import { Kept } from '../common/kept.js';
import { DeviceDatabase } from './keeping/device-database.js';
import { Draft } from './keeping/draft.js';
import { exclusivelyBy } from './keeping/exclusively.js';
import { KeptPhotographs } from './keeping/kept-photographs.js';
import { OtherTabs } from './keeping/other-tabs.js';
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
export function openChat({ id: flowId, keyed }: Served) {
  const service = new FlowService(flowId);
  const tab = new Kept(() => sessionStorage, `chat:${flowId}:`);
  const device = new Kept(() => localStorage, `chat:${flowId}:`);
  // The messages of a flow with a key are stored for this tab only, not on the device.
  const kept = keyed ? tab : device;
  const thumbnails = new Thumbnails(kept);
  const tabs = new OtherTabs(flowId);
  const conversation = new Conversation(service, device, new Transcript(kept, tab), () => {
    void recorded.refresh();
  });
  const database = new DeviceDatabase();
  const store = new KeptPhotographs(database, flowId);
  const tray = new PhotographTray({
    carry: (file, signal, progress) => service.attach(conversation.keptId(), file, signal, progress),
    chat: {
      flowId,
      id: () => conversation.keptId(),
      goOnAs: (id) => conversation.goOnAs(id),
      fateOf: (id) => conversation.fateOf(id),
    },
    ...{ store, thumbnails, kept },
    exclusively: exclusivelyBy(database),
    tell: () => tabs.tell('photographs'),
  });
  conversation.keeper = tray;
  const session = { service: new SessionService(flowId, service), session: () => conversation.chatId };
  const recorded = new RecordedPhotographs({
    ...session,
    sent: () => photographsOf(conversation.snapshot().messages),
    kept,
    tell: () => tabs.tell('corrected'),
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
    tabs.tell('restarted');
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
  const inspection = { flowId, flow: service, sessionId: () => conversation.keptId(), kept };
  const pictures = { thumbnails, recorded, prints, large };
  const draft = new Draft(kept, tab);
  return { service, tab, device, draft, conversation, tray, ...pictures, inspection, restart };
}
