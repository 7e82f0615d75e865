import { StorageRefused } from '../device/device-database.js';
import type { StoredPhotograph, PhotographStore } from '../device/device-photographs.js';
import { texts } from '../texts.js';
import type { Photograph } from './photograph.js';

/** The chat that the photographs belong to. */
export interface TrayChat {
  flowId: string;
  id: string;
  /** Returns the state of the message that the photograph was sent with. */
  fateOf(photographId: string): 'pending' | 'answered' | 'unknown';
}

/** The entry of a photograph, which the page stores even when its bytes are gone. */
export type Listed = Pick<Photograph, 'id' | 'name' | 'bytes' | 'onDevice'> & { issued?: string };

/** A chosen photograph whose bytes are gone. */
export type Lost = Pick<Photograph, 'id' | 'name'>;

export interface Restored {
  /** Photographs that only the service has. */
  there: Photograph[];
  /** Photographs to be added again. Their records stay until the person has read their names. */
  lost: Lost[];
  /** Photographs of an unknown message were attached again. */
  isBack: boolean;
}

export function listedOf({ id, name, bytes, onDevice, journey }: Photograph): Listed {
  return { id, name, bytes, onDevice, ...(journey.at === 'there' ? { issued: journey.issued } : {}) };
}

/** The tray's entry for a photograph stored on the device. */
function photographIn({ id, name, bytes, issued }: StoredPhotograph): Photograph {
  const journey = issued === undefined ? ({ at: 'waiting' } as const) : ({ at: 'there', issued } as const);
  return { id, name, bytes, journey, onDevice: true };
}

/**
 * Cleans up after an earlier visit. Photographs of an answered message are deleted from the device; those of an unknown
 * message are attached to the next one, as the service records none twice. Reports the photographs that are gone. Throws
 * `StorageRefused`.
 */
export async function restored(
  store: PhotographStore,
  chat: TrayChat,
  listed: readonly Listed[],
  /** Waits until no tab is storing photographs. */
  keepingEnds: () => Promise<void>,
): Promise<Restored> {
  let records = await store.all();
  const isMissing = ({ id }: Listed) => records.every((record) => record.id !== id);
  if (records.some(({ keeping }) => keeping) || listed.some(isMissing)) {
    await keepingEnds();
    records = await store.all();
  }
  const missing = listed.filter((one) => isMissing(one) && chat.fateOf(one.id) === 'unknown');
  const gone: Lost[] = missing.filter(({ issued }) => issued === undefined);
  const whole: StoredPhotograph[] = [];
  for (const record of records) {
    if (record.issued !== undefined || (await store.file(record.id))) whole.push(record);
    else gone.push(record);
  }
  await store.note(
    gone.map(({ id }) => id),
    { keeping: true },
  );
  const isBack = await putInOrder(store, chat, whole);
  return {
    there: missing.flatMap((one) => thereOf(one)),
    lost: gone.map(({ id, name }) => ({ id, name })),
    isBack,
  };
}

/** Returns whether photographs of an unknown message were attached again. */
async function putInOrder(
  store: PhotographStore,
  chat: TrayChat,
  records: readonly StoredPhotograph[],
): Promise<boolean> {
  const sentIs = (fate: string) =>
    records.flatMap(({ id, turn }) => (turn !== undefined && chat.fateOf(id) === fate ? [id] : []));
  await store.remove(sentIs('answered'));
  const back = sentIs('unknown');
  await store.note(back, { turn: undefined });
  return back.length > 0;
}

const thereOf = ({ id, name, bytes, onDevice, issued }: Listed): Photograph[] =>
  onDevice || issued === undefined ? [] : [{ id, name, bytes, onDevice, journey: { at: 'there', issued } }];

/** A photograph of a waiting message. */
export type HeldPhotograph = Pick<Photograph, 'id' | 'name' | 'bytes'> & { message: string };

/** Finds a photograph of a waiting message on the device. If its bytes are gone, its upload has failed. */
export async function heldFrom(store: PhotographStore, held: HeldPhotograph): Promise<Photograph> {
  let record: StoredPhotograph | undefined;
  try {
    record = await store.find(held.id);
  } catch (error) {
    if (!(error instanceof StorageRefused)) throw error;
    // It may be there: the upload reads it again.
    return { ...held, onDevice: true, journey: { at: 'waiting' } };
  }
  if (record && !record.keeping) return { ...photographIn(record), message: held.message };
  return { ...held, onDevice: false, journey: { at: 'failed', sentence: texts.unreadable, again: false } };
}

/** Compares the tray with the device, which another tab may have changed. `before`: the ids that were stored before. */
export function compared(
  photographs: readonly Photograph[],
  before: ReadonlySet<string>,
  records: readonly StoredPhotograph[],
): { gone: string[]; here: Photograph[]; added: Photograph[] } {
  const stored = new Map(records.map((one) => [one.id, one]));
  const isGone = ({ id }: Photograph) => before.has(id) && !stored.has(id);
  const known = new Set(photographs.map(({ id }) => id));
  return {
    gone: photographs.filter(isGone).map(({ id }) => id),
    here: photographs
      .filter((photograph) => !isGone(photograph))
      .map((photograph) => withStored(photograph, stored.get(photograph.id))),
    added: records.filter(({ id }) => !known.has(id)).map(photographIn),
  };
}

/** Applies the stored state: another tab may have uploaded the photograph, or marked it to be uploaded again. */
export function withStored(photograph: Photograph, record: StoredPhotograph | undefined): Photograph {
  if (!record || photograph.journey.at === 'sending') return photograph;
  const { journey } = photographIn(record);
  return (journey.at === 'there') === (photograph.journey.at === 'there')
    ? photograph
    : { ...photograph, journey };
}
