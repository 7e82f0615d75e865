import { useEffect, useState, useSyncExternalStore } from 'react';
import { Sheet } from '../sheet/sheet.js';
import { texts } from '../texts.js';
import type * as Late from './correction-sheet.js';
import type { CorrectionProps } from './recorded.js';

let late: typeof Late | undefined;
const listeners = new Set<() => void>();

/** Loads the sheet's script. Leaves it unloaded when it cannot be fetched. */
export async function loadCorrection(): Promise<void> {
  late ??= await import('./correction-sheet.js').catch(() => undefined);
  for (const listener of listeners) listener();
}

/** The correction sheet. Its script is loaded after the page. */
export function Correction(props: CorrectionProps) {
  const loaded = useSyncExternalStore(subscribe, () => late);
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    if (!loaded) void loadCorrection().then(() => setMissing(late === undefined));
  }, [loaded]);
  if (loaded) return <loaded.CorrectionSheet {...props} />;
  if (!missing) return null;
  return (
    <Sheet title={texts.correctTitle} onClose={props.onClose}>
      <p role="alert">{texts.correctionOffline}</p>
    </Sheet>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
