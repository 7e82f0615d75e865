import { BrowserStorage } from '../../common/browser-storage.js';

/** Text that is not saved yet, and the revision that it was made from. */
export interface Draft {
  text: string;
  revision?: string;
}

const storage = new BrowserStorage(() => sessionStorage, 'console:flow-draft:');

/** Unsaved text of this tab: it is there again after a reload, and when somebody comes back to the flow. */
export const drafts = {
  get(id: string): Draft | undefined {
    const draft = storage.get<Draft>(id);
    return typeof draft?.text === 'string' ? draft : undefined;
  },
  set: (id: string, draft: Draft | undefined): void => storage.set(id, draft),
};
