import type { StoredPhotograph, PhotographStore } from '../device/device-photographs.js';
import { texts } from '../texts.js';
import { namesInWords, type Photograph } from './photograph.js';

/** The chat that the photographs belong to. */
export interface TrayChat {
  flowId: string;
  /** Returns the chat's id and stores it from now on. */
  id(): string;
  /** Adopts the id under which photographs were stored, when the page has no chat id. */
  adoptId(id: string): void;
  /** Returns the state of the message that the photograph was sent with. */
  fateOf(photographId: string): 'pending' | 'answered' | 'unknown';
}

/** The entry of a photograph, which the page stores even when its bytes are gone. */
export type Listed = Pick<Photograph, 'id' | 'name' | 'bytes' | 'onDevice'> & { issued?: string };

export interface Restored {
  /** Photographs that only the service has. */
  there: Photograph[];
  complaint: string;
}

export function listedOf({ id, name, bytes, onDevice, journey }: Photograph): Listed {
  return { id, name, bytes, onDevice, ...(journey.at === 'there' ? { issued: journey.issued } : {}) };
}

/** The tray's entry for a photograph stored on the device. */
export function photographIn({ id, name, bytes, issued }: StoredPhotograph): Photograph {
  const journey = issued === undefined ? ({ at: 'waiting' } as const) : ({ at: 'there', issued } as const);
  return { id, name, bytes, journey, onDevice: true };
}

/**
 * Cleans up after an earlier visit. Photographs of an answered message are deleted from the device; those of an unknown
 * message are attached to the next one, as the service records none twice; those of another chat of this flow join this
 * one. Names the photographs that are gone. Throws `StorageRefused`.
 */
export async function restored(
  store: PhotographStore,
  chat: TrayChat,
  listed: readonly Listed[],
): Promise<Restored> {
  const records = await store.all();
  const known = new Set(records.map(({ id }) => id));
  const missing = listed.filter(({ id }) => !known.has(id));
  const gone = missing.filter(({ issued }) => issued === undefined).map(({ name }) => name);
  const there = missing.flatMap((one) => thereOf(one));
  for (const { id, name, issued } of records) {
    if (issued !== undefined || (await store.file(id))) continue;
    gone.push(name);
    await store.remove([id]);
  }
  const isBack = await putInOrder(store, chat, records);
  return { there, complaint: complaintOf(gone, isBack) };
}

/** Returns whether photographs of an unknown message were attached again. */
async function putInOrder(
  store: PhotographStore,
  chat: TrayChat,
  records: readonly StoredPhotograph[],
): Promise<boolean> {
  const newest = records.at(-1);
  if (!newest) return false;
  chat.adoptId(newest.chatId);
  const idsOf = (isOne: (record: StoredPhotograph) => boolean) => records.filter(isOne).map(({ id }) => id);
  const sentIs = (fate: string) => idsOf(({ id, turn }) => turn !== undefined && chat.fateOf(id) === fate);
  await store.remove(sentIs('answered'));
  const back = sentIs('unknown');
  await store.note(back, { turn: undefined });
  const chatId = chat.id();
  const astray = idsOf(
    (record) => record.chatId !== chatId && (record.turn === undefined || back.includes(record.id)),
  );
  await store.note(astray, { chatId, issued: undefined });
  return back.length > 0;
}

const thereOf = ({ id, name, bytes, onDevice, issued }: Listed): Photograph[] =>
  onDevice || issued === undefined ? [] : [{ id, name, bytes, onDevice, journey: { at: 'there', issued } }];

function complaintOf(gone: readonly string[], isBack: boolean): string {
  const sentences = [
    ...(gone.length > 0 ? [texts.notRestored(namesInWords(gone), gone.length)] : []),
    ...(isBack ? [texts.givenBack] : []),
  ];
  return sentences.join(' ');
}
