import { ChatFile } from '../../prediction/clients/chat-file.entity.js';
import { filesBelow } from '../../storage/foreign-files.js';
import { foreignFileName } from '../source/upload-places.js';
import type { Move } from '../target/move-target.js';
import { MoveMessages } from './move-messages.js';
import { MoveUploads } from './move-uploads.js';
import { moveFeedback, moveLeads, ratedMessages } from './move-visitors.js';

/** Moves the chats of the flows that are here: messages (their memory), uploads, feedback and leads. */
export async function moveHistory(move: Move): Promise<void> {
  const rated = await ratedMessages(move);
  await new MoveMessages(move, new MoveUploads(move)).run(rated);
  await moveFeedback(move);
  if (rated.size > 0)
    move.report.note(
      `Feedback about messages that are not in the database: ${rated.size}. It was moved and shows no answer.`,
    );
  await moveLeads(move);
  if (!move.dryRun) await reportUnnamedFiles(move);
}

/** Reports the uploads that were not moved, because no message names them or their flow was not moved. */
async function reportUnnamedFiles(move: Move): Promise<void> {
  const { report, uploads } = move;
  if (!uploads) return;
  let flow: string | undefined;
  let here = new Set<string>();
  for await (const parts of filesBelow(uploads.root)) {
    const [flowId, ...place] = move.flowIds.has(parts[0]!) ? parts : parts.slice(1);
    if (flowId === undefined || !move.flowIds.has(flowId)) {
      report.left('file', 'it is not in the folder of a moved flow', parts.join('/'));
      continue;
    }
    if (flowId !== flow) here = await filesHere(move, flowId);
    flow = flowId;
    if (!here.has(place.join('/'))) report.left('file', 'no message names it', parts.join('/'));
  }
}

/** Returns the files of a flow by their paths on the other side: the folder of the chat, and the name. */
async function filesHere({ target }: Move, flowId: string): Promise<Set<string>> {
  const rows = await target.reader.repository(ChatFile).find({
    where: { flowId },
    select: { id: true, name: true, chatId: true },
  });
  return new Set(rows.map(({ chatId, name }) => [chatId, name].map(foreignFileName).join('/')));
}
