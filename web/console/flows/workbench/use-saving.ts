import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FlowDraftView, FlowView } from '../../../../src/api/flows.js';
import { ApiError } from '../../api/api-error.js';
import { post, put, segment } from '../../api/client.js';
import { toast } from '../../parts/overlay/toast.js';
import { readDefinition } from '../editor/read-definition.js';
import { settingsIn } from '../flow-text.js';
import { authorMember } from '../versions/author.js';
import { readStored, setStored, type StoredFlow } from '../versions/use-stored-flow.js';
import type { Editing } from './use-editing.js';
import { checkKey, type Checked } from './use-reading.js';

export interface Saving {
  /** Saves the text: as the draft of a stored flow, or as version 1 of a new one. */
  save: () => Promise<StoredFlow | undefined>;
  isPending: boolean;
  /** The reason it was not saved, unless it is a conflict. */
  error: Error | null;
  /** The state that somebody else has saved in the meantime. */
  theirs: StoredFlow | undefined;
  showTheirs: (flow: StoredFlow | undefined) => void;
  /** Overwrites the draft of somebody else. */
  saveOver: (theirs: StoredFlow) => Promise<void>;
  /** Creates the flow again after it was deleted. */
  createAgain: () => Promise<StoredFlow | undefined>;
}

/** Saves the text. Never overwrites a draft of somebody else that the person has not seen. */
export function useSaving(
  stored: StoredFlow | undefined,
  editing: Editing,
  onCreated?: (flow: FlowView) => void,
): Saving {
  const client = useQueryClient();
  const [theirs, showTheirs] = useState<StoredFlow>();
  const sending = useMutation({
    mutationFn: ({ value, revision }: { text: string; value: unknown; revision: string | undefined }) =>
      stored && revision !== undefined
        ? saveDraft(stored, value, revision)
        : create(stored?.published, value),
    onSuccess: (saved, { text }) => {
      // Settled once the page shows the new state, so that this save is not taken for that of somebody else.
      const { revision } = saved.edited;
      if (stored) editing.own.current = { text, revision };
      else editing.settle(text, revision);
      setStored(client, saved.published, saved.draft);
      toast(saved.draft ? sentenceAbout(saved.draft, saved.published.version) : 'Saved.');
      if (!stored) onCreated?.(saved.published);
    },
    onError: (error, { text }) => {
      if (error instanceof ApiError && error.errors.length > 0)
        client.setQueryData<Checked>(checkKey(text, stored && 'definition'), {
          errors: [...error.errors],
          warnings: [],
        });
    },
  });
  const send = async (revision: string | undefined): Promise<StoredFlow | undefined> => {
    const { text } = editing;
    const reading = readDefinition(text);
    if ('fault' in reading) {
      editing.editor.current?.jumpTo(reading.fault.from);
      toast('Not saved: the text is not valid JSON.');
      return undefined;
    }
    try {
      return await sending.mutateAsync({ text, value: reading.value, revision });
    } catch (error) {
      if (stored && isChanged(error))
        showTheirs(await readStored(client, stored.published.id).catch(() => undefined));
      return undefined;
    }
  };
  // Drop an error about an earlier text, unless it says that the flow was deleted.
  const isStale =
    (theirs !== undefined && isChanged(sending.error)) ||
    (sending.variables?.text !== editing.text && !isGone(sending.error));
  return {
    save: () => send(editing.baseline.revision),
    isPending: sending.isPending,
    error: isStale ? null : sending.error,
    theirs,
    showTheirs,
    saveOver: async ({ edited }) => {
      if (await send(edited.revision)) showTheirs(undefined);
    },
    createAgain: () => send(undefined),
  };
}

const withMembers = (value: unknown, members: object): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...members, ...value } : value;

async function saveDraft(
  { published, edited }: StoredFlow,
  value: unknown,
  revision: string,
): Promise<StoredFlow> {
  const headers = { 'If-Match': `"${revision}"` };
  const body = withMembers(value, authorMember());
  const draft = await put<FlowDraftView>(`flows/${segment(published.id)}/draft`, body, { headers });
  return { published, draft, edited: { ...edited, revision: draft.revision } };
}

/** Creates a flow; one that was deleted again with its id and settings. */
async function create(deleted: FlowView | undefined, value: unknown): Promise<StoredFlow> {
  const before = deleted ? { id: deleted.id, ...settingsIn(deleted) } : {};
  const published = await post<FlowView>('flows', withMembers(value, { ...before, ...authorMember() }));
  return { published, draft: undefined, edited: published };
}

function sentenceAbout({ warnings = [] }: FlowDraftView, version: number): string {
  const ignored = warnings.filter(({ code }) => code === 'setting_ignored').map(({ path }) => path);
  const settings =
    ignored.length > 0 ? ` Not saved here, because they are settings: ${ignored.join(', ')}.` : '';
  return `Draft saved. Callers still get version ${version}.${settings}`;
}

export const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found';

export const isChanged = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'flow_changed';
