import { memo } from 'react';
import { AnswerContext } from './answer-context.js';
import { FileIcon } from './icons.js';
import { photographsInWords } from './photographs.js';
import { RichText } from './rich-text.js';
import type { Message } from './transcript.js';

const MOST_SHOWN = 8;

/** Few photographs are shown larger. */
const layouts: Readonly<Record<number, string>> = { 1: 'single', 2: 'pairs', 4: 'pairs' };

/** One message: the person's as it was written, the flow's with its formatting. */
export const MessageView = memo(function MessageView({
  message,
  origin,
  growing,
}: {
  message: Message;
  origin: string;
  growing: boolean;
}) {
  const { from, text, stopped } = message;
  if (from === 'person')
    return (
      <article className="message of-person" aria-label="You">
        <Photographs message={message} />
        {text !== '' && <p className="bubble">{text}</p>}
      </article>
    );
  return (
    <article className="message of-flow" aria-label="Answer" aria-busy={growing}>
      {text !== '' && (
        <div className="bubble prose">
          <AnswerContext value={{ origin, growing }}>
            <RichText text={text} />
          </AnswerContext>
        </div>
      )}
      {stopped && <p className="note">You stopped this answer.</p>}
    </article>
  );
});

function Photographs({ message: { photographs = 0, thumbnails } }: { message: Message }) {
  if (photographs === 0) return null;
  if (!thumbnails) return <p className="bubble">{photographsInWords(photographs)}</p>;
  const shown = thumbnails.slice(0, thumbnails.length > MOST_SHOWN + 1 ? MOST_SHOWN : MOST_SHOWN + 1);
  const more = thumbnails.length - shown.length;
  return (
    <div
      className={`sent-photographs ${layouts[thumbnails.length] ?? ''}`}
      role="img"
      aria-label={photographsInWords(photographs)}
    >
      {shown.map((url, index) => (
        <Thumbnail key={index} url={url} />
      ))}
      {more > 0 && <span className="thumbnail more">+{more}</span>}
    </div>
  );
}

export function Thumbnail({ url }: { url: string | undefined }) {
  return url === undefined ? (
    <span className="thumbnail">
      <FileIcon />
    </span>
  ) : (
    <img className="thumbnail" src={url} alt="" />
  );
}
