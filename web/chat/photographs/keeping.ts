import { StorageRefused } from '../device/device-database.js';
import type { PhotographStore, WholePhotograph } from '../device/device-photographs.js';

/** Photographs per transaction: each transaction waits for the disk, and all of it is lost if the tab ends meanwhile. */
const AT_ONCE = 4;

/**
 * Stores photographs on the device in few transactions. Calls `onKept` for each photograph once it is durable, or with the
 * reason it cannot be stored.
 */
export async function keepAll(
  store: PhotographStore,
  photographs: readonly WholePhotograph[],
  onKept: (id: string, refused?: StorageRefused) => void,
): Promise<void> {
  const groups = Array.from({ length: Math.ceil(photographs.length / AT_ONCE) }, (_, index) =>
    photographs.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
  await Promise.all(groups.map((group) => keepGroup(store, group, onKept)));
}

/** If the device is full, stores those of the group that fit. */
async function keepGroup(
  store: PhotographStore,
  group: readonly WholePhotograph[],
  onKept: (id: string, refused?: StorageRefused) => void,
): Promise<void> {
  const settle = (refused?: StorageRefused) => {
    for (const { photograph } of group) onKept(photograph.id, refused);
  };
  try {
    await store.keep(group);
    settle();
  } catch (error) {
    if (!(error instanceof StorageRefused)) throw error;
    if (error.why === 'forbidden' || group.length === 1) return settle(error);
    for (const one of group) await keepGroup(store, [one], onKept);
  }
}
