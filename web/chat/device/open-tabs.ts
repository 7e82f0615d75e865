const lockOf = (flowId: string): string => `chat:${flowId}:open:`;

/** Lets other tabs see that this one has opened the chat, until it is closed. Pages over plain HTTP have no locks. */
export function announceOpen(flowId: string, chatId: string): void {
  if (!('locks' in navigator)) return;
  const untilClosed = () => new Promise<never>(() => undefined);
  navigator.locks.request(lockOf(flowId) + chatId, { mode: 'shared' }, untilClosed).catch(() => undefined);
}

/** Returns the ids of the chats that tabs have opened, as far as the browser shows them. */
export async function openInTabs(flowId: string): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query().catch((): LockManagerSnapshot => ({}));
  const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(lockOf(flowId)));
  return new Set(names.map((name) => name.slice(lockOf(flowId).length)));
}
