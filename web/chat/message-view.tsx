import { memo } from 'react';
import { AnswerContext } from '../common/answer-context.js';
import { AlertIcon } from '../common/icons.js';
import { photographsInWords } from './photographs/photograph.js';
import { Thumbnail } from './photographs/thumbnail.js';
import { RichText } from '../common/rich-text.js';
import type { Message, SentPhotograph } from './transcript.js';

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
  const { from, text, photographs = [], stopped, trouble } = message;
  if (from === 'person')
    return (
      <article className="message of-person" aria-label="You">
        {photographs.length > 0 && <Photographs photographs={photographs} />}
        {text !== '' && <p className="bubble">{text}</p>}
        {trouble !== undefined && <KeptTrouble sentence={trouble} />}
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
      {trouble !== undefined && <KeptTrouble sentence={trouble} />}
    </article>
  );
});

/** No alert: the person has seen it as one, and gone on. */
const KeptTrouble = ({ sentence }: { sentence: string }) => (
  <p className="note kept-trouble">
    <AlertIcon />
    {sentence}
  </p>
);

function Photographs({ photographs }: { photographs: readonly SentPhotograph[] }) {
  const { length } = photographs;
  const shown = photographs.slice(0, length > MOST_SHOWN + 1 ? MOST_SHOWN : MOST_SHOWN + 1);
  const more = length - shown.length;
  return (
    <div
      className={`sent-photographs ${layouts[length] ?? ''}`}
      role="img"
      aria-label={photographsInWords(length)}
    >
      {shown.map(({ id, name }) => (
        <Thumbnail key={id} id={id} name={name} />
      ))}
      {more > 0 && <span className="thumbnail more">+{more}</span>}
    </div>
  );
}
