import type { BrowserStorage } from '../../common/browser-storage.js';
import type { Refusal } from '../device/device-database.js';
import type { Photograph } from './photograph.js';
import type { Lost, TrayChat } from './restoring.js';
import type { SendingParts } from './sending.js';
import type { Thumbnails } from './thumbnails.js';

export interface TrayState {
  photographs: readonly Photograph[];
  /** Photographs of messages that wait or are unanswered. */
  held: readonly Photograph[];
  complaint: string;
  /** Photographs of earlier visits whose bytes are gone, until the person dismisses the list. */
  lost: readonly Lost[];
  /** The reason the last chosen photographs could not be stored on the device. */
  refusal?: Refusal;
  /** The number of photographs that are being stored or were stored since the device last had nothing to store. */
  keeping: number;
}

export interface TrayParts extends Omit<SendingParts, 'fileOf'> {
  chat: TrayChat;
  thumbnails: Pick<Thumbnails, 'make' | 'url' | 'forget'>;
  /** Stores the list of the tray, including photographs whose bytes are not on the device. */
  storage: BrowserStorage;
  /** Notifies other tabs of a change. */
  notify: () => void;
}
