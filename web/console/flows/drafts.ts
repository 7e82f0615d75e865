import { BrowserStorage } from '../../common/browser-storage.js';
import { uniqueId } from '../../common/unique-id.js';

/** Unsaved text, and the revision that it is based on. */
export interface Draft {
  text: string;
  revision?: string;
}

/** The id of the draft of a flow that is not created yet. */
export const NEW_FLOW = ':new';

const storage = new BrowserStorage(() => sessionStorage, 'console:flow-draft:');

/** The tab's unsaved texts, which survive a reload and leaving the page. */
export const drafts = {
  get: (id: string): Draft | undefined => draftIn(storage, id),
  /** Returns false if the browser has no room for it. */
  set(id: string, draft: Draft | undefined): boolean {
    copy(id, draft);
    return storage.set(id, draft);
  },
};

/**
 * The unsaved texts of all tabs, each as `<tab> <flow id>`. A tab removes its own when it is closed or reloaded. What belongs
 * to no tab is left of a crash.
 */
const copies = new BrowserStorage(() => localStorage, 'console:flow-draft:');

const thisTab = uniqueId();
const lockOf = (tab: string): string => `console:tab:${tab}`;

/** Resolves once other tabs can see that this one is open; undefined until then. Pages over plain HTTP have no locks. */
let seen: Promise<void> | undefined;

function copy(id: string, draft: Draft | undefined): void {
  if (!('locks' in navigator) || (draft === undefined && !seen)) return;
  seen ??= new Promise((resolve) => {
    const untilClosed = () => new Promise<never>(() => resolve());
    navigator.locks.request(lockOf(thisTab), untilClosed).catch(() => undefined);
    addEventListener('pagehide', () => {
      for (const name of copies.names(thisTab)) copies.set(name, undefined);
    });
  });
  void seen.then(() => copies.set(`${thisTab} ${id}`, draft));
}

/** Takes over an unsaved text of a tab that has crashed, unless this tab has one of the same flow. */
export async function adoptDraft(id: string): Promise<void> {
  const names = copies.names('').filter((name) => name.endsWith(` ${id}`));
  if (names.length === 0 || drafts.get(id) || !('locks' in navigator)) return;
  const { held = [] } = await navigator.locks.query();
  const open = new Set(held.map(({ name }) => name));
  for (const name of names.filter((each) => !open.has(lockOf(each.split(' ', 1)[0]!)))) {
    // Another tab may have taken it over in the meantime.
    const draft = draftIn(copies, name);
    if (!draft || !drafts.set(id, draft)) continue;
    copies.set(name, undefined);
    return;
  }
}

function draftIn(place: BrowserStorage, name: string): Draft | undefined {
  const draft = place.get<Draft>(name);
  return typeof draft?.text === 'string' ? draft : undefined;
}
