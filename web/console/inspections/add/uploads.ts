import { useEffect, useRef, useSyncExternalStore } from 'react';
import { warnBeforeUnload } from '../../api/warn-before-unload.js';
import { type Place, placeName } from '../place.js';
import { sendPhotograph } from './send-photograph.js';
import { type Upload, UploadQueue } from './upload-queue.js';

const queues = new Map<string, UploadQueue>();

/** Returns the upload queue of an inspection, which outlives its page. */
function queueOf(place: Pick<Place, 'flowId' | 'sessionId'>): UploadQueue {
  const name = placeName(place);
  const known = queues.get(name);
  if (known) return known;
  const { flowId, sessionId } = place;
  const made = new UploadQueue((upload, signal, progress) =>
    sendPhotograph({ flowId, sessionId }, upload, signal, progress),
  );
  queues.set(name, made);
  return made;
}

warnBeforeUnload(() => [...queues.values()].some(({ isBusy }) => isBusy));

/** Returns the uploads of this inspection. `onRecorded` is called for each recorded photograph. */
export function useUploads(place: Place, onRecorded: () => void): [UploadQueue, readonly Upload[]] {
  const queue = queueOf(place);
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot);
  const recorded = uploads.filter(({ journey }) => journey.at === 'recorded').length;
  const reported = useRef(recorded);
  useEffect(() => {
    if (recorded > reported.current) onRecorded();
    reported.current = recorded;
  }, [recorded, onRecorded]);
  return [queue, uploads];
}
