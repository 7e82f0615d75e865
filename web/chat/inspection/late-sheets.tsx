import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { Sheet } from '../sheet/sheet.js';
import { texts } from '../texts.js';
import type { SheetProps } from './place.js';

let late: Readonly<Record<SheetName, ComponentType<SheetProps>>> | undefined;
const listeners = new Set<() => void>();

/** Loads the sheets' scripts. Leaves them unloaded when they cannot be fetched. */
export async function loadSheets(): Promise<void> {
  late ??= await sheets().catch(() => undefined);
  for (const listener of listeners) listener();
}

export type SheetName = 'details' | 'checklist';

/** A sheet of the inspection. Its script is loaded after the page. */
export function LateSheet({ name, ...props }: SheetProps & { name: SheetName }) {
  const loaded = useSyncExternalStore(subscribe, () => late);
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    if (!loaded) void loadSheets().then(() => setMissing(late === undefined));
  }, [loaded]);
  const Loaded = loaded?.[name];
  if (Loaded) return <Loaded {...props} />;
  if (!missing) return null;
  return (
    <Sheet title={name === 'details' ? texts.details : texts.checklist} onClose={props.onClose}>
      <p role="alert">{texts.inspectionOffline}</p>
    </Sheet>
  );
}

async function sheets() {
  const [{ ChecklistSheet }, { DetailsSheet }] = await Promise.all([
    import('./checklist-sheet.js'),
    import('./details-sheet.js'),
  ]);
  return { checklist: ChecklistSheet, details: DetailsSheet };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
