import { type ReactNode, useSyncExternalStore } from 'react';
import { lateScripts } from '../../api/late-script.js';
import './late-sign.css';

/** Stands where a script will show something: `children`, and after a moment why it takes so long. */
export function LateSign({ children }: { children: ReactNode }) {
  const late = useSyncExternalStore(lateScripts.subscribe, lateScripts.snapshot);
  if (!late) return children;
  return (
    <p className="late-sign" role="status">
      Connection lost, reconnecting
    </p>
  );
}
