import { use, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Change } from '../../../src/api/corrections.js';
import type { PreviousItem } from '../../../src/api/previous-items.js';
import type { ThingView } from '../../../src/api/things.js';
import { areaNamed } from '../../../src/inspection/areas/classify-area.js';
import { objectIn } from '../../common/answer.js';
import { RecordedContext } from '../recorded/recorded-context.js';
import { texts } from '../texts.js';
import { type AreaShown, type Checklist, checklistOf, type ServiceShown, skipChange } from './checklist.js';
import { Deletions } from './deletions.js';
import { failureInWords, InspectionService } from './inspection-service.js';
import { inspectionTexts } from './inspection-texts.js';
import type { InspectionPlace, SheetProps } from './place.js';
import { storeDraft } from './thing-drafts.js';

interface Wanted {
  work: () => Promise<unknown>;
  /** Reports it to screen readers. */
  done?: string;
  /** The row that has the focus afterwards, as its `data-row`. */
  focus?: string;
}

/** The row of an area's photographs. */
export const photographsRow = (key: string): string => `photographs ${key}`;

/** The list of the items that the check-in describes in an area. */
export const previousRow = (key: string): string => `previous ${key}`;

/** The checklist and its changes. Each resolves with false if it failed, which the sheet reports. */
export interface ChecklistEditor {
  place: InspectionPlace;
  service: InspectionService;
  /** The row whose corrections are open, as its `data-row`. */
  opened: string | undefined;
  open: (row: string | undefined) => void;
  rename: (from: string, to: string) => Promise<boolean>;
  skip: (area: ServiceShown) => Promise<boolean>;
  save: (thing: ThingView, change: Change) => Promise<boolean>;
  move: (thing: ThingView, to: string) => Promise<boolean>;
  movePhotographs: (area: AreaShown, to: string) => Promise<boolean>;
  remove: (thing: ThingView) => Promise<boolean>;
  restore: (thing: ThingView) => Promise<boolean>;
  /** Records items of an area as they were at the check-in. */
  recordAsBefore: (area: AreaShown, items: readonly PreviousItem[]) => Promise<boolean>;
}

interface Failed {
  sentence: string;
  again: () => void;
}

interface State {
  checklist?: Checklist;
  /** A change that failed. */
  failedChange?: Failed | undefined;
  failedLoad?: Failed | undefined;
  busy: boolean;
  announcement: string;
  /** The row whose corrections are open. */
  opened?: string | undefined;
  focus?: string | undefined;
}

/** Loads the checklist, and reloads it after each change, each answer of the chat and each correction elsewhere. */
export function useChecklist({ place, answered }: Pick<SheetProps, 'place' | 'answered'>) {
  const { recorded } = use(RecordedContext)!;
  const corrections = useSyncExternalStore(recorded.subscribe, recorded.snapshot);
  const [{ service, deletions }] = useState(() => ({
    service: new InspectionService(place),
    deletions: new Deletions(place),
  }));
  const [state, setState] = useState<State>({ busy: true, announcement: '' });
  const loads = useRef(0);
  const changing = useRef(false);
  const show = (changed: Partial<State>) => setState((before) => ({ ...before, ...changed }));

  /** `made` is shown together with what was loaded. */
  const load = async (made: Partial<State> = {}): Promise<void> => {
    const number = ++loads.current;
    const isLast = () => number === loads.current;
    try {
      const [summary, record, things] = await Promise.all([
        service.areas(),
        service.details(),
        service.things(),
      ]);
      const details = objectIn(record['details']);
      const previous = details['previousReport'] === undefined ? [] : await service.previousItems();
      const parts = { summary, details, things, previous };
      // A later load knows more.
      if (!isLast()) return show(made);
      show({
        ...{ checklist: checklistOf({ ...parts, deleted: deletions.list(things) }), failedLoad: undefined },
        ...{ busy: changing.current, ...made },
      });
    } catch (error) {
      if (!isLast()) return show(made);
      const failedLoad = { sentence: failureInWords(error), again: () => void load() };
      show({ failedLoad, busy: changing.current, ...made });
    }
  };
  const change = async (wanted: Wanted): Promise<boolean> => {
    if (changing.current) return false;
    changing.current = true;
    show({ busy: true, announcement: '', failedChange: undefined, focus: undefined });
    const failedChange = await wanted.work().then(
      () => undefined,
      (error: unknown) => ({ sentence: failureInWords(error), again: () => void change(wanted) }),
    );
    changing.current = false;
    const { done = '', focus } = wanted;
    const closed = focus === undefined ? {} : { focus, opened: undefined };
    await load(failedChange ? { failedChange } : { announcement: done, ...closed });
    recorded.corrected();
    return !failedChange;
  };
  useEffect(() => void load(), [answered, corrections.photographs]);
  useEffect(() => {
    const refresh = () => void load();
    addEventListener('focus', refresh);
    return () => removeEventListener('focus', refresh);
  }, []);
  useEffect(() => {
    if (state.focus === undefined) return;
    const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(state.focus)}"]`);
    row?.focus();
    // Until a load lists it.
    if (row) show({ focus: undefined });
  }, [state.focus, state.checklist]);

  const editor: ChecklistEditor = {
    ...{ place, service, opened: state.opened },
    open: (opened) => show({ opened }),
    rename: (from, to) => change({ work: () => service.rename(from, to), done: inspectionTexts.renamed(to) }),
    // Start from the current record, since the chat may have marked another area.
    skip: (area) =>
      change({
        work: async () => {
          const { details } = await service.details();
          await service.changeDetails(skipChange(objectIn(details), area));
        },
      }),
    save: (thing, wanted) =>
      change({
        work: async () => {
          await service.correct(thing, wanted);
          storeDraft(place, thing.id, undefined);
        },
        done: inspectionTexts.saved,
        focus: thing.id,
      }),
    move: (thing, to) =>
      change({
        work: () => service.correct(thing, { area: to }),
        done: texts.moved(to),
        focus: thing.id,
      }),
    movePhotographs: ({ photographs }, to) =>
      change({
        work: async () => {
          for (const photograph of photographs)
            if (!photograph.claimed) await service.correct(photograph, { area: to });
        },
        done: texts.moved(to),
        focus: photographsRow(areaNamed(to).key),
      }),
    remove: (thing) =>
      change({
        work: async () => {
          await service.remove(thing);
          deletions.add(thing);
        },
        done: inspectionTexts.deleted,
        focus: thing.id,
      }),
    restore: (thing) =>
      change({
        work: async () => {
          await service.correct(thing, { withdrawn: false });
          deletions.drop(thing);
        },
        done: texts.broughtBack,
        focus: thing.id,
      }),
    recordAsBefore: ({ area, key }, items) =>
      change({
        work: service.recordingAsBefore(area, items),
        done: inspectionTexts.recordedAsBefore(items.length, area),
        focus: previousRow(key),
      }),
  };
  return { ...state, failed: state.failedChange ?? state.failedLoad, editor };
}
