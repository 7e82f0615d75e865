import { use, useSyncExternalStore } from 'react';
import { Announcement } from '../announcement.js';
import { RecordedContext } from './recorded-context.js';

/** Announces the last correction to screen readers. */
export function CorrectionStatus() {
  const { recorded } = use(RecordedContext)!;
  const { announcement } = useSyncExternalStore(recorded.subscribe, recorded.snapshot);
  return <Announcement text={announcement} />;
}
