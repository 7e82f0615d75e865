import type { BrowserStorage } from '../../common/browser-storage.js';
import type { SessionService } from '../recorded/session-service.js';

/** Access to this chat's inspection, and the storage for unsaved text. */
export interface InspectionPlace {
  flowId: string;
  service: SessionService;
  sessionId: () => string;
  storage: BrowserStorage;
}

export interface SheetProps {
  place: InspectionPlace;
  /** Changes when a message of the chat is answered. */
  answered: number;
  /** Sends a message in the chat. */
  onSay: (words: string) => void;
  onClose: () => void;
}
