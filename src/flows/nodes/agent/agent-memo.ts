import type { Json } from '../../engine/json.js';
import type { Upload } from '../../engine/node-kind.js';
import type { ModelAttachment, ModelMessage } from '../../models/language-model.js';
import { attachmentsOf } from '../asking/messages.js';
import type { RoundCall } from './round-calls.js';

/** Where an agent stood when it asked a human. */
export interface AgentMemo {
  messages: ModelMessage[];
  round: number;
  used: Json[];
  calls: RoundCall[];
}

/** Stands for the pictures and recordings of the call, which the run is begun with again when it goes on. */
const UPLOADS = 'uploads';

/** Of versions before: each picture itself. */
type WholeAttachment = { type: ModelAttachment['type']; mime: string; base64?: string; url?: string };

/** As plain JSON, small: what came with the call is not in it. */
export const memoOf = ({ messages, ...memo }: AgentMemo): Json =>
  ({ ...memo, messages: messages.map(keptMessage) }) as unknown as Json;

/** The same again, with the uploads of the call that began the run. */
export function readMemo(memo: Json | undefined, uploads: readonly Upload[]): AgentMemo {
  const { messages, ...kept } = memo as unknown as AgentMemo;
  return { ...kept, messages: messages.map((message) => readMessage(message, uploads)) };
}

const keptMessage = (message: ModelMessage): object =>
  message.role === 'user' && message.attachments ? { ...message, attachments: UPLOADS } : message;

function readMessage(message: ModelMessage, uploads: readonly Upload[]): ModelMessage {
  if (message.role !== 'user' || !message.attachments) return message;
  const kept = message.attachments as unknown as typeof UPLOADS | readonly WholeAttachment[];
  return { ...message, attachments: kept === UPLOADS ? attachmentsOf(uploads) : kept.map(readWhole) };
}

const readWhole = ({ type, mime, base64, url }: WholeAttachment): ModelAttachment =>
  ({
    type,
    mime,
    content: url === undefined ? Buffer.from(base64 ?? '', 'base64') : new URL(url),
  }) as ModelAttachment;
