import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { FlowDraftView, FlowView } from '../../../../src/api/flows.js';
import { ApiError } from '../../api/api-error.js';
import { get, segment } from '../../api/client.js';
import { definitionIn, settingsIn } from '../flow-text.js';
import { flowQuery } from '../prepare-flow.js';

/** The interval at which changes by others are detected, besides each time the window gets the focus. */
const LOOK_AGAIN_MS = 20_000;

/** A flow as it is stored: published, with its draft if it has one. */
export interface StoredFlow {
  published: FlowView;
  draft: FlowDraftView | undefined;
  /** The flow as it is edited: the settings, and the definition and revision of the draft, else the published ones. */
  edited: FlowView;
}

const draftKey = (id: string) => ['flows', id, 'draft'];

const readFlow = (id: string) => get<FlowView>(`flows/${segment(id)}`);

/** Returns null when there is no draft. */
const readDraft = (id: string, signal?: AbortSignal): Promise<FlowDraftView | null> =>
  get<FlowDraftView>(`flows/${segment(id)}/draft`, signal ? { signal } : {}).catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });

/** Reads a flow and its draft, again and again. */
export function useStoredFlow(id: string) {
  const flow = useQuery({
    ...flowQuery(id),
    refetchInterval: ({ state: { error } }) => (isGone(error) ? false : LOOK_AGAIN_MS),
  });
  const hasDraft = flow.data?.draft === true;
  const draft = useQuery({
    queryKey: draftKey(id),
    queryFn: ({ signal }) => readDraft(id, signal),
    enabled: hasDraft,
    refetchInterval: LOOK_AGAIN_MS,
  });
  const isComplete = flow.data !== undefined && (!hasDraft || draft.data !== undefined);
  // The state of before stays while a draft that somebody else has begun is on its way: there may be unsaved text.
  const last = useRef<StoredFlow>(undefined);
  if (isComplete) last.current = storedFlow(flow.data, hasDraft ? draft.data : null);
  const stored = last.current?.published.id === id ? last.current : undefined;
  return { stored, queries: hasDraft ? [flow, draft] : [flow] };
}

/** Reads a flow and its draft now. */
export async function readStored(client: QueryClient, id: string): Promise<StoredFlow> {
  const published = await readFlow(id);
  const draft = published.draft ? await readDraft(id) : null;
  return setStored(client, published, draft ?? undefined);
}

/** Shows this state of a flow on all pages. */
export function setStored(
  client: QueryClient,
  published: FlowView,
  draft: FlowDraftView | undefined,
): StoredFlow {
  const { id } = published;
  // A request in progress may return an earlier state.
  void client.cancelQueries({ queryKey: flowQuery(id).queryKey });
  client.setQueryData(draftKey(id), draft ?? null);
  client.setQueryData(flowQuery(id).queryKey, { ...published, draft: draft !== undefined });
  void client.invalidateQueries({ queryKey: ['flows'], exact: true });
  return storedFlow(published, draft ?? null);
}

function storedFlow(published: FlowView, draft: FlowDraftView | null | undefined): StoredFlow {
  if (!draft) return { published, draft: undefined, edited: published };
  const { id, version, createdAt } = published;
  const { revision, updatedAt, isStreaming } = draft;
  const edited = {
    ...settingsIn(published),
    ...definitionIn(draft),
    ...{ id, version, createdAt, revision, updatedAt, isStreaming, draft: true },
  } as FlowView;
  return { published, draft, edited };
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
