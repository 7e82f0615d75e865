import type { StoredMessage } from '../device/device-outbox.js';
import type { Photograph } from '../photographs/photograph.js';
import { texts } from '../texts.js';
import type { Trouble } from '../turns/trouble.js';
import { outboxTexts } from './outbox-texts.js';

/** The reason that a message waits. */
export interface WaitReason {
  sentence: string;
  /** True if the message is not sent until the person does something. */
  isStuck: boolean;
}

interface Surroundings {
  message: Pick<StoredMessage, 'photographs'>;
  /** Its place among the waiting messages, from 0. */
  index: number;
  /** The photographs of all waiting messages. */
  held: readonly Photograph[];
  trouble: Trouble | undefined;
  online: boolean;
}

export function reasonOf({ message, index, held, trouble, online }: Surroundings): WaitReason {
  const own = held.filter(({ id }) => message.photographs.some((one) => one.id === id));
  for (const { name, journey } of own)
    if (journey.at === 'failed' && !journey.lost)
      return { sentence: texts.ofFile(name, journey.sentence), isStuck: true };
  const isCut = own.some(({ journey }) => journey.at === 'failed') || trouble?.waits === 'network';
  if (!online || isCut) return { sentence: texts.waitsForNetwork, isStuck: false };
  if (index > 0 || !trouble || trouble.waits) {
    const there = own.filter(({ journey }) => journey.at === 'there').length;
    if (there < own.length)
      return { sentence: outboxTexts.uploading(there, texts.photographs(own.length)), isStuck: false };
    return { sentence: outboxTexts.waitsForAnswer, isStuck: false };
  }
  return { sentence: outboxTexts.waitsForPerson, isStuck: true };
}
