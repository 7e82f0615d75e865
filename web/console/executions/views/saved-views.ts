import { useSyncExternalStore } from 'react';
import { BrowserStorage } from '../../../common/browser-storage.js';
import { type ExecutionsSearch, readExecutionsSearch } from '../../search.js';
import { type QuickRange, quickRangeOf, QUICK_RANGES, rangeOf } from '../outcomes/time-range.js';

/** Filters with a name, stored in this browser. A preset such as “Last hour” counts from the time when it is opened. */
export interface SavedView {
  name: string;
  search: ExecutionsSearch;
  quick?: QuickRange;
}

const MOST_VIEWS = 50;
export const LONGEST_NAME = 60;

/** The views that are saved in a browser, by name. */
export class SavedViews {
  private readonly listeners = new Set<() => void>();
  private views: readonly SavedView[] | undefined;

  constructor(private readonly storage: BrowserStorage) {}

  all = (): readonly SavedView[] => (this.views ??= read(this.storage.get('views')));

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Saves filters. A view of the same name is replaced; beyond fifty the oldest is dropped. */
  save(name: string, search: ExecutionsSearch, now = new Date()): void {
    const { from, to, ...filters } = search;
    const quick = quickRangeOf({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) }, now);
    const view: SavedView = quick === 'other' ? { name, search } : { name, search: filters, quick };
    this.store([...this.others(name), view].slice(-MOST_VIEWS));
  }

  remove(name: string): void {
    this.store(this.others(name));
  }

  private others = (name: string) => this.all().filter((view) => view.name !== name);

  private store(views: readonly SavedView[]): void {
    this.views = views;
    this.storage.set('views', views);
    for (const listener of this.listeners) listener();
  }
}

/** Returns the filters of a view, for the URL. */
export const searchOf = ({ search, quick }: SavedView, now = new Date()): ExecutionsSearch =>
  quick === undefined ? search : { ...search, ...rangeOf(quick, now) };

/** Returns the view that the filters in the URL are, if any. */
export function viewOf(views: readonly SavedView[], search: ExecutionsSearch): SavedView | undefined {
  const wanted = textOf(search);
  return views.find((view) => textOf(searchOf(view)) === wanted || isSameHour(view, search));
}

/** A range of the last hour has another start in every URL. */
const isSameHour = ({ search: filters, quick }: SavedView, search: ExecutionsSearch): boolean => {
  const { from, to, ...others } = search;
  if (quick !== 'hour' || from === undefined || to !== undefined) return false;
  return quickRangeOf({ from }) === 'hour' && textOf(filters) === textOf(others);
};

const textOf = (search: ExecutionsSearch): string =>
  JSON.stringify(Object.entries(search).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Reads what the browser holds, which a person may have changed. */
function read(stored: unknown): readonly SavedView[] {
  if (!Array.isArray(stored)) return [];
  return stored.slice(0, MOST_VIEWS).flatMap((view: unknown): SavedView[] => {
    const { name, search, quick } = (view ?? {}) as Record<string, unknown>;
    if (typeof name !== 'string' || name === '' || typeof search !== 'object' || search === null) return [];
    const known = QUICK_RANGES.find(({ value }) => value === quick)?.value;
    const filters = readExecutionsSearch(search as Record<string, unknown>);
    return [{ name: name.slice(0, LONGEST_NAME), search: filters, ...(known && { quick: known }) }];
  });
}

export const savedViews = new SavedViews(new BrowserStorage(() => localStorage, 'console:'));

export const useSavedViews = (): readonly SavedView[] =>
  useSyncExternalStore(savedViews.subscribe, savedViews.all);
