import { use, useSyncExternalStore } from 'react';
import { RecordedContext } from './recorded-context.js';

/** Says to screen readers which correction was made. */
export function CorrectionTold() {
  const { recorded } = use(RecordedContext)!;
  const { announcement } = useSyncExternalStore(recorded.subscribe, recorded.snapshot);
  return (
    <p className="hidden" role="status">
      {announcement}
    </p>
  );
}
