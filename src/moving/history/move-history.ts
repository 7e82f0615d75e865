import type { Move } from '../move.js';
import { MoveMessages } from './move-messages.js';
import { MoveUploads } from './move-uploads.js';
import { moveFeedback, moveLeads, ratedMessages } from './move-visitors.js';
import { tellUnnamedFiles } from './tell-unnamed-files.js';

/** Moves the chats of the flows that are here: messages, which are their memory, uploads, feedback and leads. */
export async function moveHistory(move: Move): Promise<void> {
  const rated = await ratedMessages(move);
  await new MoveMessages(move, new MoveUploads(move)).run(rated);
  await moveFeedback(move);
  if (rated.size > 0)
    move.report.note(
      `Feedback about messages that are not in the database: ${rated.size}. It came, and shows no answer.`,
    );
  await moveLeads(move);
  if (!move.dryRun) await tellUnnamedFiles(move);
}
