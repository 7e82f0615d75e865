import { createContext } from 'react';
import type { Prints } from './prints.js';
import type { RecordedPhotographs } from './recorded-photographs.js';
import type { SessionPlace } from './session-service.js';

interface RecordedChat {
  recorded: RecordedPhotographs;
  prints: Prints;
  inspection: SessionPlace;
}

/** The recorded photographs of the chat, their pictures at the service, and its session. */
export const RecordedContext = createContext<RecordedChat | undefined>(undefined);
