import { StorageRefused } from '../device/device-database.js';
import type { Change } from '../device/device-photographs.js';
import { texts } from '../texts.js';
import { Keeping } from './keeping.js';
import {
  choose,
  type Chosen,
  isShowable,
  type Journey,
  type Photograph,
  type PhotographLimits,
} from './photograph.js';
import { RefusedFileList } from './refused-file-list.js';
import {
  compared,
  heldFrom,
  type HeldPhotograph,
  type Listed,
  listedOf,
  type Lost,
  type Restored,
  restored,
  withStored,
} from './restoring.js';
import { Sending } from './sending.js';
import type { TrayParts, TrayState } from './tray-parts.js';

/**
 * The photographs attached to the message. Each is first stored on the device, then uploaded; a failed upload is retried.
 * It is deleted from the device when its message is answered.
 */
export class PhotographTray {
  private state: TrayState = { photographs: [], held: [], complaint: '', lost: [], keeping: 0 };
  readonly refusedFiles: RefusedFileList;
  private readonly files = new Map<string, File>();
  private readonly listeners = new Set<() => void>();
  private readonly sending: Sending;
  private readonly keeping: Keeping;
  /** Ends when all chosen photographs are stored. */
  private taking: Promise<unknown> = Promise.resolve();
  limits: PhotographLimits = { most: 0, largestBytes: 0 };

  constructor(private readonly parts: TrayParts) {
    const photographs = () => [...this.state.held, ...this.state.photographs];
    const tray = { photographs, move: this.move, drop: this.drop };
    this.refusedFiles = new RefusedFileList(parts.storage);
    this.keeping = new Keeping(parts);
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
    const beside = this.state.photographs.length + this.keeping.arriving;
    const { chosen, refused } = choose(beside, files, this.limits);
    this.change({ complaint: '' });
    this.refusedFiles.add(refused, chosen);
    if (chosen.length > 0) this.taking = Promise.all([this.taking, this.takeIn(chosen)]);
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

  /** Claims the photographs for a message. Another tab's message may have claimed some already. */
  async take(message: string): Promise<readonly Photograph[]> {
    await this.taking;
    const { photographs } = this.state;
    const ids = photographs.flatMap(({ id, onDevice }) => (onDevice ? [id] : []));
    const taken = await this.parts.store.take(ids, message).catch(() => ids);
    const had = new Set(photographs.map(({ id }) => id));
    // An upload may have ended meanwhile.
    const now = this.state.photographs.filter(({ id }) => had.has(id));
    const given = now.filter(({ id, onDevice }) => !onDevice || taken.includes(id));
    const held = [...this.state.held, ...given.map((photograph) => ({ ...photograph, message }))];
    this.change({ held });
    this.show(this.state.photographs.filter(({ id }) => !had.has(id)));
    this.change({ complaint: '' });
    this.parts.notify();
    this.sending.go();
    return given;
  }

  /** Uploads the photographs of waiting messages, from an earlier visit or another tab. */
  async hold(photographs: readonly HeldPhotograph[]): Promise<void> {
    const missing = photographs.filter(({ id }) => this.state.held.every((one) => one.id !== id));
    const found = await Promise.all(missing.map((one) => heldFrom(this.parts.store, one)));
    const known = new Set(this.state.held.map(({ id }) => id));
    this.change({ held: [...this.state.held, ...found.filter(({ id }) => !known.has(id))] });
    for (const { id } of found) void this.draw(id);
    this.sending.go();
  }

  /** Deletes photographs from the device once their message is answered or removed. */
  acknowledged(ids: readonly string[]): void {
    this.sending.stop(ids);
    for (const id of ids) this.files.delete(id);
    this.change({ held: this.state.held.filter(({ id }) => !ids.includes(id)) });
    void this.parts.store.remove(ids).then(this.parts.notify, () => undefined);
  }

  /** Attaches the photographs of an unanswered message to the next one. `lost`: the service has lost them. */
  async giveBack(ids: readonly string[], lost = false): Promise<void> {
    this.change({ complaint: texts.givenBack });
    await this.release(ids, lost ? { turn: undefined, issued: undefined } : { turn: undefined });
  }

  /** Attaches the photographs of a message that was not sent to the next one. */
  async release(ids: readonly string[], change: Change = { turn: undefined }): Promise<void> {
    await this.parts.store.note(ids, change).catch(() => undefined);
    const lost = 'issued' in change;
    const back = this.state.held.flatMap(({ message: _, ...one }) =>
      ids.includes(one.id) && !one.onDevice ? [lost ? { ...one, journey: WAITING } : one] : [],
    );
    this.change({ held: this.state.held.filter(({ id }) => !ids.includes(id)) });
    this.show([...this.state.photographs, ...back]);
    await this.refresh();
    this.parts.notify();
  }

  /** Restores the tray of an earlier visit: sends what is waiting and names what is gone. */
  async restore(): Promise<void> {
    const { store, storage, chat } = this.parts;
    const listed = storage.get<Listed[]>('tray') ?? [];
    const chosenHere = new Set(this.state.photographs.map(({ id }) => id));
    const earlier = listed.filter(({ id }) => !chosenHere.has(id));
    const { there, lost, isBack } = await restored(store, chat, earlier, this.keeping.ends).catch(
      this.refused,
    );
    const known = new Map([...(storage.get<Lost[]>('lost') ?? []), ...lost].map((one) => [one.id, one]));
    this.changeLost([...known.values()]);
    this.show([...there, ...this.state.photographs]);
    if (isBack) this.change({ complaint: texts.givenBack });
    await this.refresh();
  }

  readonly dismissLost = (): void => {
    void this.parts.store.remove(this.state.lost.map(({ id }) => id)).catch(() => undefined);
    this.changeLost([]);
  };

  /** Synchronises with the device after another tab's change. */
  async refresh(): Promise<void> {
    const before = new Set(this.state.photographs.flatMap(({ id, onDevice }) => (onDevice ? [id] : [])));
    const records = await this.parts.store.all().catch(() => undefined);
    if (!records || (records.length === 0 && before.size === 0)) return;
    this.keeping.follow(records);
    const ours = records.filter((one) => one.turn === undefined && !one.keeping);
    const byId = new Map(records.map((one) => [one.id, one]));
    const { gone, here, added } = compared(this.state.photographs, before, ours);
    this.sending.stop(gone);
    this.show([...here, ...added]);
    this.change({ held: this.state.held.map((one) => withStored(one, byId.get(one.id))) });
    for (const { id } of added) void this.draw(id);
    this.sending.go();
  }

  private async takeIn(chosen: readonly Chosen[]): Promise<void> {
    for (const { photograph, file } of chosen) this.files.set(photograph.id, file);
    const show = () => this.showKeeping(chosen);
    await this.keeping.keep(chosen, show, (id, refused) => {
      if (refused) this.refused(refused);
      if (this.find(id)) this.alter(id, { onDevice: !refused, journey: WAITING });
      else void this.parts.store.remove([id]).catch(() => undefined);
    });
    this.list();
    this.parts.notify();
    this.sending.go();
    for (const { photograph } of chosen) void this.draw(photograph.id);
  }

  private showKeeping(chosen: readonly Chosen[]): void {
    const before = this.state.photographs;
    const keeping = before.some(({ journey }) => journey.at === 'keeping') ? this.state.keeping : 0;
    this.show([...before, ...chosen.map(({ photograph }) => photograph)]);
    this.change({ keeping: keeping + chosen.length });
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

  private readonly find = (id: string): Photograph | undefined =>
    this.state.photographs.find((photograph) => photograph.id === id);

  private readonly move = (id: string, journey: Journey): void => {
    this.alter(id, { journey });
    if (journey.at !== 'there') return;
    this.list();
    this.parts.notify();
  };

  private readonly drop = (id: string): void => {
    this.change({ held: this.state.held.filter((photograph) => photograph.id !== id) });
    this.show(this.state.photographs.filter((photograph) => photograph.id !== id));
  };

  private alter(id: string, change: Partial<Photograph>): void {
    const altered = (list: readonly Photograph[]) =>
      list.map((photograph) => (photograph.id === id ? { ...photograph, ...change } : photograph));
    this.change({ photographs: altered(this.state.photographs), held: altered(this.state.held) });
  }

  private show(photographs: readonly Photograph[]): void {
    this.change({ photographs });
    this.list();
  }

  private changeLost(lost: readonly Lost[]): void {
    this.parts.storage.set('lost', lost.length > 0 ? lost : undefined);
    this.change({ lost });
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

const NOTHING: Restored = { there: [], lost: [], isBack: false };
