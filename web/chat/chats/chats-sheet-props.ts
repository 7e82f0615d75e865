import type { DeviceChats } from './device-chats.js';

export interface ChatsSheetProps {
  chats: DeviceChats;
  /** The id of the chat on screen. */
  shown: string;
  /** The flow records inspections. */
  inspects: boolean;
  onShow: (id: string) => void;
  onNew: () => void;
  onClose: () => void;
}
