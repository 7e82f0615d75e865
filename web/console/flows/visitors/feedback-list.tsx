import type { ListedFeedbackView } from '../../../../src/api/chats.js';
import type { Column } from '../../parts/data-table.js';
import { NoteIcon, ThumbDownIcon, ThumbUpIcon } from '../../parts/icons.js';
import { Tag } from '../../parts/values/status-tag.js';
import { EmptyState } from '../../parts/waiting/empty-state.js';
import { ListedRows } from './listed-rows.js';

const columns: readonly Column<ListedFeedbackView>[] = [
  { name: 'Rating', cell: (feedback) => <Opinion feedback={feedback} /> },
  { name: 'About', cell: (feedback) => <About feedback={feedback} /> },
];

export const FeedbackList = ({ flowId }: { flowId: string }) => (
  <ListedRows<ListedFeedbackView>
    list="feedback"
    flowId={flowId}
    label="Feedback"
    columns={columns}
    empty={
      <EmptyState title="No feedback yet" icon={<ThumbUpIcon />}>
        Ratings and comments from chat users appear here.
      </EmptyState>
    }
  />
);

function Opinion({ feedback: { rating, content } }: { feedback: ListedFeedbackView }) {
  return (
    <div className="visitors-opinion">
      <Rating rating={rating} />
      {content !== null && content !== '' && <p>{content}</p>}
    </div>
  );
}

function Rating({ rating }: Pick<ListedFeedbackView, 'rating'>) {
  if (rating === 'THUMBS_UP')
    return (
      <Tag tone="good" icon={<ThumbUpIcon />}>
        Helpful
      </Tag>
    );
  if (rating === 'THUMBS_DOWN')
    return (
      <Tag tone="bad" icon={<ThumbDownIcon />}>
        Not helpful
      </Tag>
    );
  return <Tag icon={<NoteIcon />}>Comment</Tag>;
}

function About({ feedback: { question, answer } }: { feedback: ListedFeedbackView }) {
  if (question === null && answer === null)
    return <span className="visitors-unknown">The answer is no longer stored</span>;
  return (
    <div className="visitors-about">
      {question !== null && question.trim() !== '' && <p className="visitors-question">{question}</p>}
      <p className="visitors-answer">{answer}</p>
    </div>
  );
}
