import type { BrowserStorage } from '../../common/browser-storage.js';
import { uniqueId } from '../../common/unique-id.js';
import { StorageRefused, type Refusal } from '../device/device-database.js';
import type { StoredPhotograph } from '../device/device-photographs.js';
import { texts } from '../texts.js';
import { choose, type Chosen, isShowable, type Journey } from './photograph.js';
import type { Photograph, PhotographLimits } from './photograph.js';
import { photographIn, type Listed, listedOf, type Restored, restored, type TrayChat } from './restoring.js';
import { Sending, type SendingParts } from './sending.js';
import type { Thumbnails } from './thumbnails.js';

export interface TrayState {
  photographs: readonly Photograph[];
  /** Names the files that were left out or could not be restored, with the reason. */
  complaint: string;
  /** The reason the last chosen photographs could not be stored on the device. */
  refusal?: Refusal;
}

export interface TrayParts extends Omit<SendingParts, 'fileOf'> {
  chat: TrayChat;
  thumbnails: Pick<Thumbnails, 'make' | 'url' | 'forget'>;
  /** Stores the list of the tray, including photographs whose bytes are not on the device. */
  storage: BrowserStorage;
  /** Notifies other tabs of a change. */
  notify: () => void;
}

/**
 * The photographs attached to the message. Each is first stored on the device, then uploaded; a failed upload is retried.
 * It is deleted from the device when its message is answered.
 */
export class PhotographTray {
  private state: TrayState = { photographs: [], complaint: '' };
  private readonly files = new Map<string, File>();
  /** Sent photographs that are not on the device, in case their message fails. */
  private readonly away = new Map<string, Photograph>();
  private readonly listeners = new Set<() => void>();
  private readonly sending: Sending;
  limits: PhotographLimits = { most: 0, largestBytes: 0 };

  constructor(private readonly parts: TrayParts) {
    const tray = { photographs: () => this.state.photographs, move: this.move, drop: this.drop };
    this.sending = new Sending(tray, { ...parts, fileOf: this.fileOf });
    globalThis.addEventListener?.('online', () => this.retryAll());
  }

  /** Returns the file of a photograph chosen since the page was opened. */
  readonly fileOf = (id: string): File | undefined => this.files.get(id);

  readonly snapshot = (): TrayState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly add = (files: readonly File[]): void => {
    if (this.limits.most === 0) return this.change({ complaint: texts.takesNone });
    const { chosen, complaint } = choose(this.state.photographs.length, files, this.limits);
    const photographs = [...this.state.photographs, ...chosen.map(({ photograph }) => photograph)];
    this.show(photographs);
    this.change({ complaint });
    if (chosen.length > 0) void this.takeIn(chosen);
  };

  readonly remove = (id: string): void => this.letGo([id]);

  readonly clear = (): void => this.letGo(this.state.photographs.map(({ id }) => id));

  readonly retry = (id: string): void => {
    const { journey } = this.find(id) ?? {};
    if (journey?.at !== 'failed' || !journey.again) return;
    this.move(id, { at: 'waiting' });
    this.sending.go();
  };

  readonly retryAll = (): void => this.sending.retryAll();

  /** Claims the uploaded photographs for the message being sent. Another tab's message may have claimed some already. */
  async take(): Promise<readonly Photograph[]> {
    const { photographs } = this.state;
    const ids = photographs.flatMap(({ id, onDevice }) => (onDevice ? [id] : []));
    const taken = await this.parts.store.take(ids, uniqueId()).catch(() => ids);
    const given = photographs.filter(({ id, onDevice }) => !onDevice || taken.includes(id));
    for (const photograph of given) if (!photograph.onDevice) this.away.set(photograph.id, photograph);
    const had = new Set(photographs.map(({ id }) => id));
    this.show(this.state.photographs.filter(({ id }) => !had.has(id)));
    this.change({ complaint: '' });
    this.parts.notify();
    return given;
  }

  /** Deletes photographs from the device once their message is answered. */
  acknowledged(ids: readonly string[]): void {
    for (const id of ids) {
      this.files.delete(id);
      this.away.delete(id);
    }
    void this.parts.store.remove(ids).then(this.parts.notify, () => undefined);
  }

  /** Attaches the photographs of an unanswered message to the next one. `lost`: the service has lost them. */
  async giveBack(ids: readonly string[], lost = false): Promise<void> {
    const change = lost ? { turn: undefined, issued: undefined } : { turn: undefined };
    await this.parts.store.note(ids, change).catch(() => undefined);
    const inMemory = ids.flatMap((id) => this.away.get(id) ?? []);
    for (const { id } of inMemory) this.away.delete(id);
    const back = inMemory.map((photograph) => (lost ? { ...photograph, journey: WAITING } : photograph));
    this.show([...this.state.photographs, ...back]);
    this.change({ complaint: texts.givenBack });
    await this.refresh();
    this.parts.notify();
  }

  /** Restores the tray of an earlier visit: sends what is waiting and names what is gone. */
  async restore(): Promise<void> {
    const { store, storage, chat } = this.parts;
    const listed = storage.get<Listed[]>('tray') ?? [];
    const { there, complaint } = await restored(store, chat, listed).catch(this.refused);
    this.show([...there, ...this.state.photographs]);
    if (complaint !== '') this.change({ complaint });
    await this.refresh();
  }

  /** Synchronises with the device after another tab's change. */
  async refresh(): Promise<void> {
    const before = new Set(this.state.photographs.flatMap(({ id, onDevice }) => (onDevice ? [id] : [])));
    const records = await this.parts.store.all().catch(() => undefined);
    if (!records || (records.length === 0 && before.size === 0)) return;
    const chatId = this.parts.chat.id();
    const ours = new Map(
      records.flatMap((one) => (one.turn === undefined && one.chatId === chatId ? [[one.id, one]] : [])),
    );
    const isGone = ({ id }: Photograph) => before.has(id) && !ours.has(id);
    const { photographs } = this.state;
    this.sending.stop(photographs.filter(isGone).map(({ id }) => id));
    const here = photographs.filter((photograph) => !isGone(photograph));
    const known = new Set(photographs.map(({ id }) => id));
    const added = [...ours.values()].filter(({ id }) => !known.has(id)).map(photographIn);
    this.show([...here.map((photograph) => withStored(photograph, ours.get(photograph.id))), ...added]);
    for (const { id } of added) void this.draw(id);
    this.sending.go();
  }

  private async takeIn(chosen: readonly Chosen[]): Promise<void> {
    const { store, chat, notify } = this.parts;
    const [chatId, place] = [chat.id(), Date.now()];
    const keep = async ({ photograph: { id, name, bytes }, file }: Chosen, index: number) => {
      this.files.set(id, file);
      const record = { id, flowId: chat.flowId, chatId, name, bytes, place: place + index / 1_000 };
      const onDevice = await store.keep(record, file).then(
        () => true,
        (error: unknown) => (this.refused(error), false),
      );
      if (!this.find(id)) return void store.remove([id]).catch(() => undefined);
      this.alter(id, { onDevice, journey: WAITING });
    };
    await Promise.all(chosen.map(keep));
    this.list();
    notify();
    this.sending.go();
    for (const { photograph } of chosen) void this.draw(photograph.id);
  }

  private async draw(id: string): Promise<void> {
    const { thumbnails, store } = this.parts;
    if (thumbnails.url(id) !== undefined) return;
    const file = this.files.get(id) ?? (await store.file(id).catch(() => undefined));
    if (!file || (await thumbnails.make(id, file)) || !isShowable(file)) return;
    this.alter(id, { damaged: true });
  }

  private readonly refused = (error: unknown): Restored => {
    if (!(error instanceof StorageRefused)) throw error;
    this.change({ refusal: error.why });
    return NOTHING;
  };

  private letGo(ids: readonly string[]): void {
    this.sending.stop(ids);
    this.parts.thumbnails.forget(ids);
    this.show(this.state.photographs.filter(({ id }) => !ids.includes(id)));
    this.change({ complaint: '' });
    this.acknowledged(ids);
    this.sending.go();
  }

  private find(id: string): Photograph | undefined {
    return this.state.photographs.find((photograph) => photograph.id === id);
  }

  private readonly move = (id: string, journey: Journey): void => {
    this.alter(id, { journey });
    if (journey.at !== 'there') return;
    this.list();
    this.parts.notify();
  };

  private readonly drop = (id: string): void =>
    this.show(this.state.photographs.filter((photograph) => photograph.id !== id));

  private alter(id: string, change: Partial<Photograph>): void {
    const photographs = this.state.photographs.map((photograph) =>
      photograph.id === id ? { ...photograph, ...change } : photograph,
    );
    this.change({ photographs });
  }

  private show(photographs: readonly Photograph[]): void {
    this.change({ photographs });
    this.list();
  }

  private list(): void {
    const listed = this.state.photographs.map(listedOf);
    this.parts.storage.set('tray', listed.length > 0 ? listed : undefined);
  }

  private change(change: Partial<TrayState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

const WAITING = { at: 'waiting' } as const;

const NOTHING: Restored = { there: [], complaint: '' };

/** Applies the stored state: another tab may have uploaded the photograph, or marked it to be uploaded again. */
function withStored(photograph: Photograph, record: StoredPhotograph | undefined): Photograph {
  if (!record || photograph.journey.at === 'sending') return photograph;
  const { journey } = photographIn(record);
  return (journey.at === 'there') === (photograph.journey.at === 'there')
    ? photograph
    : { ...photograph, journey };
}
