import type { BrowserStorage } from '../../common/browser-storage.js';
import type { SessionPlace } from '../recorded/session-service.js';

/** Access to this chat's inspection, and the storage for unsaved text. */
export interface InspectionPlace extends SessionPlace {
  storage: BrowserStorage;
}

export interface SheetProps {
  place: InspectionPlace;
  /** Changes when a message of the chat is answered. */
  answered: number;
  /** Opens an area in the chat, where what is ready goes. */
  onArea: (area: string) => void;
  onClose: () => void;
}
