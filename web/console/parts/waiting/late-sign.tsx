import { type ReactNode, useSyncExternalStore } from 'react';
import { lateScripts } from '../../api/late-script.js';
import './late-sign.css';

/** A placeholder for a part whose script is loading; says when the connection is lost. */
export function LateSign({ children }: { children: ReactNode }) {
  const late = useSyncExternalStore(lateScripts.subscribe, lateScripts.snapshot);
  if (!late) return children;
  return (
    <p className="late-sign" role="status">
      Connection lost, reconnecting
    </p>
  );
}
