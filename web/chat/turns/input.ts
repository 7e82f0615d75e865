import { uniqueId } from '../../common/unique-id.js';
import type { Photograph } from '../photographs/photograph.js';
import type { Question } from './service.js';
import type { Message, Pending } from './transcript.js';

/** One message of the person, with its attachments. */
export interface Input {
  /** The id of its turn, if it has one already. */
  id?: string;
  /** Beside a form, its values in words. */
  text: string;
  /** All of them are uploaded. */
  photographs?: readonly Photograph[];
  form?: Record<string, unknown>;
  humanInput?: NonNullable<Question['humanInput']>;
}

/** Builds the call for a message, under its own idempotency key. */
export function pendingOf(
  { id, text, photographs = [], form, humanInput }: Input,
  chatId: string,
  vars?: Record<string, string>,
): Pending {
  const question: Question = { ...(form ? {} : { question: text }), chatId };
  if (vars) question.overrideConfig = { vars };
  if (form) question.form = form;
  if (humanInput) question.humanInput = humanInput;
  if (photographs.length > 0) question.uploads = photographs.flatMap(uploadOf);
  const pending: Pending = { question, idempotencyKey: id ?? uniqueId() };
  if (photographs.length > 0) pending.photographs = photographs.map((one) => one.id);
  return pending;
}

/** Builds the person's message as the chat shows it. */
export function messageOf({ id = uniqueId(), text, photographs = [] }: Input): Message {
  const message: Message = { id, from: 'person', text };
  if (photographs.length > 0)
    message.photographs = photographs.map((one) => ({ id: one.id, name: one.name }));
  return message;
}

const uploadOf = ({ id, journey }: Photograph) =>
  journey.at === 'there' ? [{ type: 'stored-file' as const, name: journey.issued, messageId: id }] : [];
