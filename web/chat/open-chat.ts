import { BrowserStorage } from '../common/browser-storage.js';
import type { DeviceChats } from './chats/device-chats.js';
import { makeRoom } from './chats/make-room.js';
import { progressOf } from './chats/progress.js';
import type { DeviceDatabase } from './device/device-database.js';
import { DeviceOutbox } from './device/device-outbox.js';
import { DevicePhotographs } from './device/device-photographs.js';
import { Draft } from './device/draft.js';
import { exclusivelyBy } from './device/exclusively.js';
import { OtherTabs } from './device/other-tabs.js';
import { Outbox } from './outbox/outbox.js';
import { largePicturesOf } from './photographs/large-pictures.js';
import { PhotographTray } from './photographs/photograph-tray.js';
import { Thumbnails } from './photographs/thumbnails.js';
import { Prints } from './recorded/prints.js';
import { RecordedPhotographs } from './recorded/recorded-photographs.js';
import { SessionService } from './recorded/session-service.js';
import type { Served } from './start/served.js';
import { texts } from './texts.js';
import type { ChatState } from './turns/chat-state.js';
import { Conversation } from './turns/conversation.js';
import type { FlowService } from './turns/service.js';
import { photographsOf, Transcript } from './turns/transcript.js';

/** The parts that all chats of a flow share. */
export interface SharedParts {
  served: Served;
  service: FlowService;
  database: DeviceDatabase;
  chats: DeviceChats;
  /** Called when the flow asks for a new chat. */
  onNewChat: (chatId: string) => void;
}

export type OpenChat = ReturnType<typeof openChat>;

/**
 * Builds everything of one chat that lives longer than the view, so that asking for the key or showing another chat in
 * between loses nothing. All its data on the device is stored under its id.
 */
export function openChat(id: string, { served, service, database, chats, onNewChat }: SharedParts) {
  const { id: flowId, keyed, inspects } = served;
  const { storage, tab } = chatStorage(flowId, id, keyed);
  const thumbnails = new Thumbnails(storage);
  const tabs = new OtherTabs(flowId, id);
  const sessions = new SessionService(flowId, service);
  const vars = () => {
    if (!inspects) return undefined;
    const { inspector } = chats;
    return { newChat: texts.newInspection, ...(inspector === undefined ? {} : { inspector }) };
  };
  const conversation = new Conversation(
    service,
    id,
    new Transcript(storage, tab),
    () => {
      void recorded.refresh();
      void describe();
      if (asksForNewChat(conversation.snapshot())) onNewChat(id);
    },
    vars,
  );
  const exclusively = exclusivelyBy(database);
  const store = new DevicePhotographs(database, flowId, id);
  const tray = new PhotographTray({
    carry: (file, signal, progress) => service.attach(id, file, signal, progress),
    chat: {
      flowId,
      id,
      fateOf: (photograph) => (outbox.holds(photograph) ? 'pending' : conversation.fateOf(photograph)),
    },
    ...{ store, thumbnails, storage },
    exclusively,
    notify: () => tabs.notify('photographs'),
  });
  conversation.keeper = tray;
  const session = { service: sessions, sessionId: id };
  const outbox = new Outbox({
    ...{ flowId, chatId: id, conversation, tray, exclusively },
    store: new DeviceOutbox(database, flowId, id),
    isDeleted: () => chats.find(id)?.deletedAt !== undefined,
    notify: () => tabs.notify('outbox'),
  });
  chats.subscribe(outbox.go);
  const recorded = new RecordedPhotographs({
    ...session,
    inspects: () => inspects && conversation.snapshot().messages.length > 0,
    sent: () => photographsOf(conversation.snapshot().messages),
    answered: (photograph) => conversation.fateOf(photograph) === 'answered',
    storage,
    notify: () => tabs.notify('corrected'),
  });
  const prints = new Prints({ ...session, recorded, thumbnails });
  tabs.listen((news) => {
    if (news === 'corrected') return void recorded.refresh();
    if (news === 'outbox') return void outbox.load();
    void tray.refresh();
  });
  const draft = new Draft(storage, tab);

  const isUsed = () =>
    conversation.snapshot().messages.length + tray.snapshot().photographs.length > 0 ||
    outbox.unsent().length > 0 ||
    tray.snapshot().lost.length > 0 ||
    !draft.isEmpty;
  const sentMessages = () => conversation.snapshot().messages.filter(({ from }) => from === 'person').length;
  let sent = sentMessages();
  /** Lists the chat on this device, once it is used. */
  const note = () => {
    if (!isUsed()) return;
    const state = conversation.snapshot();
    const messages = outbox.unsent();
    const photographs = messages.reduce(
      (sum, message) => sum + message.photographs.length,
      tray.snapshot().photographs.length,
    );
    const waiting = { messages: messages.length, photographs };
    const isActive = sentMessages() > sent;
    sent = sentMessages();
    chats.note(id, progressOf(state, waiting, recorded.snapshot().photographs), isActive);
    if (!inspects) chats.name(id, (state.messages[0] ?? messages[0])?.text ?? '');
  };
  for (const part of [conversation, tray, outbox, recorded]) part.subscribe(note);
  /** Reads the address, which names the inspection in the list, and the inspector, who is proposed for the next one. */
  const describe = async () => {
    if (!inspects) return;
    const details = await sessions.details(id).catch(() => undefined);
    if (details?.address) chats.name(id, details.address);
    if (details?.assessor) chats.inspector = details.assessor;
  };

  const readDevice = async () => {
    await outbox.load();
    await tray.refresh();
  };
  let resumed = false;
  // Corrections may have been made in the console, or in a tab whose broadcast this one missed. A device that was too slow
  // for the first read may answer now.
  const comeBack = () => {
    conversation.takeOver();
    void recorded.refresh();
    if (resumed) void readDevice();
    note();
  };
  for (const event of ['visibilitychange', 'focus', 'online']) addEventListener(event, comeBack);
  // A turn in another tab has started or ended. A broadcast could arrive before the stored turn does.
  addEventListener('storage', ({ key, newValue }) => {
    if (newValue !== null && key?.startsWith(`chat:${flowId}:${id}:turn:`)) comeBack();
  });
  const large = largePicturesOf({
    ...{ store, thumbnails },
    fileOf: tray.fileOf,
    turnOf: (photograph) => recorded.of(photograph)?.turn ?? 0,
    print: (photograph) => prints.large(photograph),
  });
  const inspection = { flowId, service: sessions, storage, sessionId: () => id };
  /** Continues what an earlier visit has left, once. */
  const resume = () => {
    if (resumed) return;
    resumed = true;
    conversation.takeUp();
    void outbox.load().then(() => tray.restore());
    void recorded.refresh();
  };
  const pictures = { thumbnails, recorded, prints, large };
  return { id, draft, conversation, tray, outbox, ...pictures, inspection, resume, note, isUsed };
}

/** The flow offers nothing but a new chat: the person has asked for one. */
const asksForNewChat = ({ followUps }: ChatState): boolean =>
  followUps.length === 1 && followUps[0] === texts.newInspection;

/** The storage of one chat. The messages of a flow with a key are stored for this tab only, not on the device. */
function chatStorage(flowId: string, id: string, keyed: boolean) {
  const prefix = `chat:${flowId}:${id}:`;
  const tab = new BrowserStorage(() => sessionStorage, prefix, makeRoom);
  return { tab, storage: keyed ? tab : new BrowserStorage(() => localStorage, prefix, makeRoom) };
}

/** Deletes all data of a chat from the device. */
export async function deleteChat(id: string, { served, database }: SharedParts): Promise<void> {
  const { storage, tab } = chatStorage(served.id, id, served.keyed);
  storage.clear();
  tab.clear();
  const store = new DevicePhotographs(database, served.id, id);
  const photographs = await store.all();
  await store.remove(photographs.map((photograph) => photograph.id));
  await new DeviceOutbox(database, served.id, id).clear();
}
