import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { Sheet } from '../sheet/sheet.js';
import { texts } from '../texts.js';
import type { ChatsSheetProps } from './chats-sheet-props.js';

let late: ComponentType<ChatsSheetProps> | undefined;
const listeners = new Set<() => void>();

/** Loads the sheet's script. Leaves it unloaded when it cannot be fetched. */
export async function loadChatsSheet(): Promise<void> {
  late ??= await import('./chats-sheet.js').then(({ ChatsSheet }) => ChatsSheet).catch(() => undefined);
  for (const listener of listeners) listener();
}

/** The list of the chats on this device. Its script is loaded after the page. */
export function LateChatsSheet(props: ChatsSheetProps) {
  const Loaded = useSyncExternalStore(subscribe, () => late);
  const [isMissing, setIsMissing] = useState(false);
  useEffect(() => {
    if (!Loaded) void loadChatsSheet().then(() => setIsMissing(late === undefined));
  }, [Loaded]);
  if (Loaded) return <Loaded {...props} />;
  if (!isMissing) return null;
  return (
    <Sheet title={props.inspects ? texts.inspections : texts.chats} onClose={props.onClose}>
      <p role="alert">{texts.inspectionOffline}</p>
    </Sheet>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
