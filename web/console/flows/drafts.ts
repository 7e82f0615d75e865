import { BrowserStorage } from '../../common/browser-storage.js';

/** Unsaved text, and the revision that it is based on. */
export interface Draft {
  text: string;
  revision?: string;
}

const storage = new BrowserStorage(() => sessionStorage, 'console:flow-draft:');

/** The tab's unsaved texts, which survive a reload and leaving the page. */
export const drafts = {
  get(id: string): Draft | undefined {
    const draft = storage.get<Draft>(id);
    return typeof draft?.text === 'string' ? draft : undefined;
  },
  set: (id: string, draft: Draft | undefined): void => storage.set(id, draft),
};
