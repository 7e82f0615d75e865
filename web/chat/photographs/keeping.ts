import { StorageRefused } from '../device/device-database.js';
import type { PhotographStore, StoredPhotograph, WholePhotograph } from '../device/device-photographs.js';
import type { Chosen } from './photograph.js';
import type { TrayParts } from './tray-parts.js';

/** Photographs per transaction: each transaction waits for the disk, and all of it is lost if the tab ends meanwhile. */
const AT_ONCE = 4;

/** Some browsers answer late, or never, when they forbid storage. */
const ANNOUNCED_MS = 300;

/** Called for each photograph once it is durable, or with the reason it cannot be stored. */
type OnStored = (id: string, refused?: StorageRefused) => void;

/** Stores chosen photographs on the device, in their order and from one tab at a time. */
export class Keeping {
  private lastPlace = 0;
  /** The number of chosen photographs that are not shown yet. */
  arriving = 0;

  constructor(private readonly parts: Pick<TrayParts, 'store' | 'chat' | 'exclusively'>) {}

  /** Stores photographs. Calls `show` once their names are stored, so that none that was seen can be lost without a name. */
  async keep(chosen: readonly Chosen[], show: () => void, onStored: OnStored): Promise<void> {
    const { store } = this.parts;
    const whole = this.placed(chosen);
    this.arriving += chosen.length;
    // A refusal meets the bytes too, and is reported then.
    const announced = store.announce(whole.map(({ photograph }) => photograph)).catch(() => undefined);
    await this.alone(async () => {
      await Promise.race([announced, new Promise((resolve) => setTimeout(resolve, ANNOUNCED_MS))]);
      this.arriving -= chosen.length;
      show();
      await keepAll(store, whole, onStored);
    });
  }

  /** Places later photographs after these. */
  follow(records: readonly StoredPhotograph[]): void {
    this.lastPlace = Math.max(this.lastPlace, ...records.map(({ place }) => place));
  }

  /** Waits until no tab is storing photographs. */
  readonly ends = (): Promise<void> => this.alone(async () => undefined);

  private placed(chosen: readonly Chosen[]): WholePhotograph[] {
    const { flowId, id: chatId } = this.parts.chat;
    // The order must survive a clock that is set back.
    const place = Math.max(Date.now(), this.lastPlace + 1);
    this.lastPlace = place + chosen.length - 1;
    return chosen.map(({ photograph: { id, name, bytes }, file }, index) => ({
      photograph: { id, flowId, chatId, name, bytes, place: place + index },
      file,
    }));
  }

  /** Runs `work` while no other tab stores photographs. */
  private alone(work: () => Promise<void>): Promise<void> {
    const { exclusively, chat } = this.parts;
    return exclusively(`keeping:${chat.flowId}`, new AbortController().signal, work);
  }
}

/** Stores photographs on the device in few transactions. */
async function keepAll(
  store: PhotographStore,
  photographs: readonly WholePhotograph[],
  onStored: OnStored,
): Promise<void> {
  const groups = Array.from({ length: Math.ceil(photographs.length / AT_ONCE) }, (_, index) =>
    photographs.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
  await Promise.all(groups.map((group) => keepGroup(store, group, onStored)));
}

/** If the device is full, stores those of the group that fit. */
async function keepGroup(
  store: PhotographStore,
  group: readonly WholePhotograph[],
  onStored: OnStored,
): Promise<void> {
  const settle = (refused?: StorageRefused) => {
    for (const { photograph } of group) onStored(photograph.id, refused);
  };
  try {
    await store.keep(group);
    settle();
  } catch (error) {
    if (!(error instanceof StorageRefused)) throw error;
    if (error.why === 'forbidden' || group.length === 1) return settle(error);
    for (const one of group) await keepGroup(store, [one], onStored);
  }
}
