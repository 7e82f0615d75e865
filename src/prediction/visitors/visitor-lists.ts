import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { LeadView, ListedFeedbackView } from '../../api/chats.js';
import type { PageOf } from '../../api/shapes.js';
import { isoTime } from '../../common/iso-time.js';
import { pageOfRows, readCursor } from '../../common/json/cursor.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { EntityColumns } from '../../database/entity-columns.js';
import type { SqlValue } from '../../database/tx.js';
import { Feedback } from '../clients/feedback.entity.js';
import { Lead } from '../clients/lead.entity.js';

export interface ListPage {
  limit: number;
  cursor?: string | undefined;
}

interface ListedRow {
  id: string;
  createdAt: number;
}

const EXCERPT = 500;

const feedbackColumns = new EntityColumns(Feedback);
const leadColumns = new EntityColumns(Lead);

/** Selects the text of the exchange of a feedback, by its own or its imported message id. */
const excerptOf = (text: 'question' | 'answer'): string => {
  const of = (condition: string) =>
    `(SELECT substr(${text}, 1, ${EXCERPT}) FROM chat_turns WHERE flow_id = feedback.flow_id
       AND chat_id = feedback.chat_id AND ${condition} LIMIT 1)`;
  return `COALESCE(${of('id = feedback.message_id AND answer_id IS NULL')}, ${of('answer_id = feedback.message_id')}) AS ${text}`;
};

const FEEDBACK = `SELECT ${feedbackColumns.selected(feedbackColumns.without(['updatedAt']))},
  ${excerptOf('question')}, ${excerptOf('answer')} FROM feedback`;

const LEADS = `SELECT ${leadColumns.selected(leadColumns.without([]))} FROM leads`;

/** Cursor of a page: time and id of its last row. */
const position = z.tuple([z.int(), z.string()]);

/** Lists feedback and leads of a flow for admins, newest first. */
@Injectable()
export class VisitorLists {
  constructor(private readonly reader: DatabaseReader) {}

  feedback(flowId: string, page: ListPage): Promise<PageOf<ListedFeedbackView>> {
    type Row = Omit<ListedFeedbackView, 'chatflowid' | 'createdDate'> & ListedRow;
    return this.list<Row, ListedFeedbackView>(FEEDBACK, flowId, page, (row) => ({
      id: row.id,
      chatflowid: flowId,
      ...{ chatId: row.chatId, messageId: row.messageId, rating: row.rating, content: row.content },
      createdDate: isoTime(row.createdAt),
      ...{ question: row.question, answer: row.answer },
    }));
  }

  leads(flowId: string, page: ListPage): Promise<PageOf<LeadView>> {
    return this.list<Lead, LeadView>(LEADS, flowId, page, (row) => ({
      id: row.id,
      chatflowid: flowId,
      ...{ chatId: row.chatId, name: row.name, email: row.email, phone: row.phone },
      createdDate: isoTime(row.createdAt),
    }));
  }

  private async list<Row extends ListedRow, Item>(
    select: string,
    flowId: string,
    { limit, cursor }: ListPage,
    shown: (row: Row) => Item,
  ): Promise<PageOf<Item>> {
    const values: SqlValue[] = [flowId];
    let after = '';
    if (cursor !== undefined) {
      after = ' AND (created_at, id) < (?, ?)';
      values.push(...readCursor(cursor, position));
    }
    const rows = await this.reader.all<Row>(
      `${select} WHERE flow_id = ?${after} ORDER BY created_at DESC, id DESC LIMIT ?`,
      [...values, limit + 1],
    );
    return pageOfRows(rows, limit, { shown, position: ({ createdAt, id }) => [createdAt, id] });
  }
}
