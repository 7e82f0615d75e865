import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FlowView } from '../../../../src/api/flows.js';
import { ApiError } from '../../api/api-error.js';
import { get, post, put, segment } from '../../api/client.js';
import { toast } from '../../parts/overlay/toast.js';
import { readDefinition } from '../editor/read-definition.js';
import type { Editing } from './use-editing.js';
import { checkKey, type Checked } from './use-reading.js';

export interface Saving {
  save: () => Promise<FlowView | undefined>;
  isPending: boolean;
  /** The reason it was not saved, unless it is a conflict. */
  error: Error | null;
  /** The version that somebody else has saved in the meantime. */
  theirs: FlowView | undefined;
  showTheirs: (flow: FlowView | undefined) => void;
  /** Overwrites the version of somebody else. */
  saveOver: (theirs: FlowView) => Promise<void>;
  /** Creates the flow again after it was deleted. */
  createAgain: () => Promise<FlowView | undefined>;
}

/** Saves the text. Never overwrites a version of somebody else that the person has not seen. */
export function useSaving(
  flow: FlowView | undefined,
  editing: Editing,
  onSaved?: (flow: FlowView) => void,
): Saving {
  const client = useQueryClient();
  const [theirs, showTheirs] = useState<FlowView>();
  const sending = useMutation({
    mutationFn: ({ value, revision }: { text: string; value: unknown; revision: string | undefined }) =>
      flow && revision !== undefined
        ? put<FlowView>(`flows/${segment(flow.id)}`, value, { headers: { 'If-Match': `"${revision}"` } })
        : post<FlowView>('flows', value),
    onSuccess: (saved, { text }) => {
      editing.settle(text, saved.revision);
      // A request in progress may return an older version.
      void client.cancelQueries({ queryKey: ['flows', saved.id] });
      client.setQueryData(['flows', saved.id], saved);
      void client.invalidateQueries({ queryKey: ['flows'], exact: true });
      toast('Saved.');
      onSaved?.(saved);
    },
    onError: (error, { text }) => {
      if (error instanceof ApiError && error.errors.length > 0)
        client.setQueryData<Checked>(checkKey(text), { errors: [...error.errors], warnings: [] });
    },
  });
  const readTheirs = async (id: string) => {
    const found = await get<FlowView>(`flows/${segment(id)}`).catch(() => undefined);
    if (found) client.setQueryData(['flows', id], found);
    showTheirs(found);
  };
  const send = async (revision: string | undefined): Promise<FlowView | undefined> => {
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
      if (flow && isChanged(error)) await readTheirs(flow.id);
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
    saveOver: async ({ revision }) => {
      if (await send(revision)) showTheirs(undefined);
    },
    createAgain: () => send(undefined),
  };
}

export const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found';

const isChanged = (error: unknown): boolean => error instanceof ApiError && error.code === 'flow_changed';
