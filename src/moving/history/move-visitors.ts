import { type EntityTarget, In } from 'typeorm';
import { RATINGS } from '../../api/chats.js';
import { columnInstant, columnText, type SourceRow } from '../../flows/import/rows/row-values.js';
import { Feedback } from '../../prediction/clients/feedback.entity.js';
import { Lead } from '../../prediction/clients/lead.entity.js';
import type { Move } from '../target/move-target.js';
import { isChatId, NO_CHAT_ID } from './foreign-message.js';
import { movedId } from './moved-ids.js';

interface Belonging {
  id: string;
  flowId: string;
  chatId: string;
  createdAt: number;
}

const BATCH = 200;

/** Returns the ids of the messages that feedback of moved flows is about. */
export async function ratedMessages({ source, flowIds }: Move): Promise<Set<string>> {
  const rated = new Set<string>();
  for await (const row of source.rows('chat_message_feedback')) {
    const messageId = columnText(row['messageId']);
    if (messageId !== undefined && flowIds.has(columnText(row['chatflowid']) ?? '')) rated.add(messageId);
  }
  return rated;
}

/** Moves feedback under its id; it names its message by the id that the message has here. */
export const moveFeedback = (move: Move): Promise<void> =>
  moveBelongings(move, 'chat_message_feedback', 'feedback', Feedback, (row, common) => {
    const messageId = columnText(row['messageId']);
    if (messageId === undefined) return { why: 'it names no message' };
    const given = columnText(row['rating']);
    const rating = RATINGS.find((known) => known === given) ?? null;
    if (given !== undefined && rating === null)
      move.report.note('Feedback with a rating that is neither up nor down was moved as a comment.');
    return {
      ...common,
      messageId: movedId(messageId),
      rating,
      content: givenText(row['content']),
      updatedAt: common.createdAt,
    };
  });

export const moveLeads = (move: Move): Promise<void> =>
  moveBelongings(move, 'lead', 'lead', Lead, (row, common) => ({
    ...common,
    name: givenText(row['name']),
    email: givenText(row['email']),
    phone: givenText(row['phone']),
  }));

async function moveBelongings<Row extends Belonging>(
  move: Move,
  table: string,
  kind: 'feedback' | 'lead',
  entity: EntityTarget<Row>,
  made: (row: SourceRow, common: Belonging) => Row | { why: string },
): Promise<void> {
  const { source, target, report } = move;
  let batch: Row[] = [];
  const flush = async () => {
    const came = await keepNew(move, entity, batch);
    report.came(kind, came);
    report.here(kind, '', undefined, batch.length - came);
    batch = [];
  };
  for await (const row of source.rows(table)) {
    const common = commonOf(row, move.flowIds, target.clock.now());
    const whole = 'why' in common ? common : made(row, common);
    if ('why' in whole) report.left(kind, whole.why);
    else if (batch.push(whole) >= BATCH) await flush();
  }
  if (batch.length > 0) await flush();
}

/** Reads the columns that all of these tables have, or returns why the row cannot be moved. */
function commonOf(row: SourceRow, flowIds: ReadonlySet<string>, now: number): Belonging | { why: string } {
  const [id, flowId, chatId] = [
    columnText(row['id']),
    columnText(row['chatflowid']),
    columnText(row['chatId']),
  ];
  if (id === undefined) return { why: 'it has no id' };
  if (flowId === undefined || !flowIds.has(flowId)) return { why: 'its flow was not moved' };
  if (!isChatId(chatId)) return { why: NO_CHAT_ID };
  return { id: movedId(id), flowId, chatId, createdAt: columnInstant(row['createdDate']) ?? now };
}

/** Writes the rows whose ids are not here and returns their number. A dry run only counts them. */
async function keepNew<Row extends Belonging>(
  { target, dryRun }: Move,
  entity: EntityTarget<Row>,
  rows: readonly Row[],
): Promise<number> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const where = { id: In([...byId.keys()]) } as never;
  const forget = (here: readonly Row[]) => here.forEach(({ id }) => byId.delete(id));
  if (dryRun) forget(await target.reader.repository(entity).findBy(where));
  else
    await target.writes.write(async (tx) => {
      forget(await tx.repository(entity).findBy(where));
      if (byId.size > 0) await tx.repository(entity).insert([...byId.values()] as never);
    });
  return byId.size;
}

/** Returns the text of a column; an empty text is no null. */
const givenText = (column: unknown): string | null => (column === '' ? '' : (columnText(column) ?? null));
