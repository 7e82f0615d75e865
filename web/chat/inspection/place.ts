import type { Kept } from '../../common/kept.js';
import type { FlowService } from '../turns/service.js';

/** The inspection of this chat: where it is, how it is asked for, and where unsaved words are kept. */
export interface InspectionPlace {
  flowId: string;
  flow: FlowService;
  sessionId: () => string;
  kept: Kept;
}

export interface SheetProps {
  place: InspectionPlace;
  /** Says something in the chat; false where an answer is still under way. */
  onSay: (words: string) => boolean;
  onClose: () => void;
}
