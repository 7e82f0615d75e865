import type { Json } from '../../engine/json.js';
import type { Upload } from '../../engine/node-kind.js';
import type { ModelMessage } from '../../models/language-model.js';
import { attachmentsOf } from '../asking/messages.js';
import type { RoundCall } from './round-calls.js';

/** The state of an agent that asked a human. */
interface AgentMemo {
  messages: ModelMessage[];
  round: number;
  used: Json[];
  calls: RoundCall[];
}

/** Replaces the pictures and recordings of the call, which a resumed run gets from that call again. */
const UPLOADS = 'uploads';

/** Returns the state as plain JSON without the uploads of the call. */
export const memoOf = ({ messages, ...memo }: AgentMemo): Json =>
  ({ ...memo, messages: messages.map(storedMessage) }) as unknown as Json;

/** Restores the state with the uploads of the call that began the run. */
export function readMemo(memo: Json | undefined, uploads: readonly Upload[]): AgentMemo {
  const { messages, ...rest } = memo as unknown as AgentMemo;
  return { ...rest, messages: messages.map((message) => readMessage(message, uploads)) };
}

const storedMessage = (message: ModelMessage): object =>
  message.role === 'user' && message.attachments ? { ...message, attachments: UPLOADS } : message;

const readMessage = (message: ModelMessage, uploads: readonly Upload[]): ModelMessage =>
  message.role === 'user' && message.attachments
    ? { ...message, attachments: attachmentsOf(uploads) }
    : message;
