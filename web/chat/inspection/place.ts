import type { BrowserStorage } from '../../common/browser-storage.js';
import type { FlowService } from '../turns/service.js';

/** Access to this chat's inspection, and the storage for unsaved text. */
export interface InspectionPlace {
  flowId: string;
  flow: FlowService;
  sessionId: () => string;
  storage: BrowserStorage;
}

export interface SheetProps {
  place: InspectionPlace;
  /** Sends a message in the chat. Returns false while an answer is in progress. */
  onSay: (words: string) => boolean;
  onClose: () => void;
}
