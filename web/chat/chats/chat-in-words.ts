import { texts } from '../texts.js';
import type { ListedChat } from './device-chats.js';

/** Names a chat of the list. */
export const nameOf = ({ name }: ListedChat): string => name ?? texts.noAddress;

/** Returns the number of its photographs, and how many the service has not recorded. */
export function photographsInWords({ photographs, unsent }: ListedChat): string {
  const all = photographs + unsent;
  return unsent > 0 ? texts.someUnsent(texts.photographs(all), unsent) : texts.photographs(all);
}
