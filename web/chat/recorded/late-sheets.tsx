import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { Sheet } from '../sheet/sheet.js';
import { texts } from '../texts.js';
import type { CorrectionProps, MoveProps, TargetProps } from './recorded.js';

type Sheets = Awaited<ReturnType<typeof sheets>>;

let late: Sheets | undefined;
const listeners = new Set<() => void>();

/** Loads the sheets' scripts. Leaves them unloaded when they cannot be fetched. */
export async function loadRecordedSheets(): Promise<void> {
  late ??= await sheets().catch(() => undefined);
  for (const listener of listeners) listener();
}

/** The correction sheet. Its script and those of the other sheets here are loaded after the page. */
export const Correction = (props: CorrectionProps) => (
  <Late title={texts.correctTitle} onClose={props.onClose}>
    {({ CorrectionSheet }) => <CorrectionSheet {...props} />}
  </Late>
);

/** The sheet that chooses the area of the next message. */
export const Target = (props: TargetProps) => (
  <Late title={texts.targetTitle} onClose={props.onClose}>
    {({ TargetSheet }) => <TargetSheet {...props} />}
  </Late>
);

/** The sheet that moves the photographs of a message. */
export const Move = (props: MoveProps) => (
  <Late title={texts.moveTitle(texts.photographs(props.ids.length))} onClose={props.onClose}>
    {({ MoveSheet }) => <MoveSheet {...props} />}
  </Late>
);

interface LateProps {
  title: string;
  onClose: () => void;
  children: (loaded: Sheets) => ReactNode;
}

function Late({ title, onClose, children }: LateProps) {
  const loaded = useSyncExternalStore(subscribe, () => late);
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    if (!loaded) void loadRecordedSheets().then(() => setMissing(late === undefined));
  }, [loaded]);
  if (loaded) return children(loaded);
  if (!missing) return null;
  return (
    <Sheet title={title} onClose={onClose}>
      <p role="alert">{texts.correctionOffline}</p>
    </Sheet>
  );
}

async function sheets() {
  const [correction, areas] = await Promise.all([
    import('./correction-sheet.js'),
    import('./area-sheets.js'),
  ]);
  return { ...correction, ...areas };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
