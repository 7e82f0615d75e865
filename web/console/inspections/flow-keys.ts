import { useSyncExternalStore } from 'react';

/** Flow keys entered on this page. They are held in memory only. */
const keys = new Map<string, string>();
const listeners = new Set<() => void>();

export const flowKeyOf = (flowId: string): string | undefined => keys.get(flowId);

export function giveFlowKey(flowId: string, key: string): void {
  if (key === '') keys.delete(flowId);
  else keys.set(flowId, key);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useFlowKey = (flowId: string): string | undefined =>
  useSyncExternalStore(subscribe, () => keys.get(flowId));
