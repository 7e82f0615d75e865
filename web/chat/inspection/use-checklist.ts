import { use, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Change } from '../../../src/api/corrections.js';
import type { PreviousItem } from '../../../src/api/previous-items.js';
import type { ThingView } from '../../../src/api/things.js';
import { areaNamed } from '../../../src/inspection/areas/classify-area.js';
import { objectIn } from '../../common/answer.js';
import { RecordedContext } from '../recorded/recorded-context.js';
import { texts } from '../texts.js';
import { ChangeQueue } from './change-queue.js';
import { type AreaShown, type Checklist, checklistOf, type ServiceShown, skipChange } from './checklist.js';
import { Deletions } from './deletions.js';
import { failureInWords, InspectionService } from './inspection-service.js';
import { inspectionTexts } from './inspection-texts.js';
import type { InspectionPlace, SheetProps } from './place.js';
import { draftOf, storeDraft } from './thing-drafts.js';

interface Wanted {
  /** The thing, area or service that it changes. */
  subject: string;
  /** Tells it from other changes of its subject. */
  change: string;
  work: () => Promise<unknown>;
  /** Reports it to screen readers. */
  done?: string;
  /** The row that has the focus afterwards, as its `data-row`. */
  focus?: string;
  /** The row whose corrections were open when it was asked for. */
  opened?: string | undefined;
}

/** The row of an area's photographs. */
export const photographsRow = (key: string): string => `photographs ${key}`;

/** The list of the items that the check-in describes in an area. */
export const previousRow = (key: string): string => `previous ${key}`;

const nameOf = (...parts: unknown[]): string => JSON.stringify(parts);

/**
 * The checklist and its changes, made in the order asked for. Each resolves with false if it failed, which the sheet
 * reports.
 */
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

/** The changes of the state that a change of the records has made. */
type Made = (before: State) => Partial<State>;

/** Loads the checklist, and reloads it after each change, each answer of the chat and each correction elsewhere. */
export function useChecklist({ place, answered }: Pick<SheetProps, 'place' | 'answered'>) {
  const { recorded } = use(RecordedContext)!;
  const corrections = useSyncExternalStore(recorded.subscribe, recorded.snapshot);
  const [{ service, deletions, changes, failedChanges, asked, unshown }] = useState(() => ({
    service: new InspectionService(place),
    deletions: new Deletions(place),
    changes: new ChangeQueue(),
    /** Those that failed since none was waiting. */
    failedChanges: new Set<Wanted>(),
    /** The items of the check-in that are being recorded. */
    asked: new Set<string>(),
    unshown: [] as Made[],
  }));
  const [state, setState] = useState<State>({ busy: true, announcement: '' });
  const loads = useRef(0);
  const show = (changed: Partial<State>) => setState((before) => ({ ...before, ...changed }));

  /** `made` is shown together with what was loaded, by the last load: one that has begun later knows more. */
  const load = async (made?: Made): Promise<void> => {
    const number = ++loads.current;
    if (made) unshown.push(made);
    const end = (loaded: Partial<State>) => {
      if (number !== loads.current) return;
      const all = unshown.splice(0);
      setState((before) =>
        all.reduce((state, made) => ({ ...state, ...made(state) }), {
          ...before,
          ...loaded,
          busy: changes.size > 0,
        }),
      );
    };
    try {
      const [summary, record, things] = await Promise.all([
        service.areas(),
        service.details(),
        service.things(),
      ]);
      const details = objectIn(record['details']);
      const previous = details['previousReport'] === undefined ? [] : await service.previousItems();
      const parts = { summary, details, things, previous };
      end({ checklist: checklistOf({ ...parts, deleted: deletions.list(things) }), failedLoad: undefined });
    } catch (error) {
      end({ failedLoad: { sentence: failureInWords(error), again: () => void load() } });
    }
  };
  const make = async (wanted: Wanted): Promise<boolean> => {
    const { done = '', focus, opened } = wanted;
    const failedChange = await wanted.work().then(
      () => undefined,
      (error: unknown) => ({ sentence: failureInWords(error), again: retry }),
    );
    if (failedChange) failedChanges.add(wanted);
    await load((before) => {
      // It may have been retried since.
      if (failedChange) return failedChanges.has(wanted) ? { failedChange } : {};
      // The person has gone on to another row.
      if (focus === undefined || before.opened !== opened) return { announcement: done };
      return { announcement: done, opened: undefined, ...(changes.size > 1 ? {} : { focus }) };
    });
    recorded.corrected();
    return !failedChange;
  };
  const change = async (given: Wanted): Promise<boolean> => {
    if (changes.size === 0) forgetFailures();
    show({ busy: true, announcement: '', focus: undefined });
    const wanted = { ...given, opened: state.opened };
    const worked = await changes.add(wanted.subject, wanted.change, () => make(wanted));
    show({ busy: changes.size > 0 });
    return worked;
  };
  const forgetFailures = () => {
    failedChanges.clear();
    show({ failedChange: undefined });
  };
  const retry = () => {
    const failed = [...failedChanges];
    forgetFailures();
    for (const wanted of failed) void change(wanted);
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
    rename: (from, to) =>
      change({
        subject: nameOf('area', from),
        change: nameOf('rename', to),
        work: () => service.rename(from, to),
        done: inspectionTexts.renamed(to),
      }),
    // Start from the current record, since the chat may have marked another area.
    skip: (area) =>
      change({
        subject: area.slug,
        change: nameOf('skip', area.isSkipped),
        work: async () => {
          const { details } = await service.details();
          await service.changeDetails(skipChange(objectIn(details), area));
        },
      }),
    save: (thing, wanted) => {
      const draft = JSON.stringify(draftOf(place, thing.id));
      return change({
        subject: thing.id,
        change: nameOf('save', wanted),
        work: async () => {
          await service.correct(thing, wanted);
          // Text typed since then stays unsaved.
          if (JSON.stringify(draftOf(place, thing.id)) === draft) storeDraft(place, thing.id, undefined);
        },
        done: inspectionTexts.saved,
        focus: thing.id,
      });
    },
    move: (thing, to) =>
      change({
        subject: thing.id,
        change: nameOf('move', to),
        work: () => service.correct(thing, { area: to }),
        done: texts.moved(to),
        focus: thing.id,
      }),
    movePhotographs: ({ key, photographs }, to) =>
      change({
        subject: photographsRow(key),
        change: nameOf('move', to),
        work: async () => {
          for (const photograph of photographs)
            if (!photograph.claimed) await service.correct(photograph, { area: to });
        },
        done: texts.moved(to),
        focus: photographsRow(areaNamed(to).key),
      }),
    remove: (thing) =>
      change({
        subject: thing.id,
        change: 'remove',
        work: async () => {
          await service.remove(thing);
          deletions.add(thing);
        },
        done: inspectionTexts.deleted,
        focus: thing.id,
      }),
    restore: (thing) =>
      change({
        subject: thing.id,
        change: 'restore',
        work: async () => {
          await service.correct(thing, { withdrawn: false });
          deletions.drop(thing);
        },
        done: texts.broughtBack,
        focus: thing.id,
      }),
    recordAsBefore: async ({ area, key }, items) => {
      const nameOfItem = ({ item }: PreviousItem) => nameOf('as before', key, item);
      const others = items.filter((item) => !asked.has(nameOfItem(item)));
      if (others.length === 0) return false;
      const names = others.map(nameOfItem);
      for (const name of names) asked.add(name);
      const worked = await change({
        subject: previousRow(key),
        change: names.join(),
        work: service.recordingAsBefore(area, others),
        done: inspectionTexts.recordedAsBefore(others.length, area),
        focus: previousRow(key),
      });
      for (const name of names) asked.delete(name);
      return worked;
    },
  };
  return { ...state, failed: state.failedChange ?? state.failedLoad, editor };
}
