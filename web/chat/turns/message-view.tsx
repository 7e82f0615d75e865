import { memo, useState } from 'react';
import { AnswerContext } from '../../common/answer-context.js';
import { AlertIcon } from '../../common/icons.js';
import { RefusedPhotographs, SentPicture } from '../recorded/sent-picture.js';
import { texts } from '../texts.js';
import { Formatted } from './late-rich.js';
import type { Message, SentPhotograph } from './transcript.js';

const MOST_SHOWN = 8;

/** Layouts that show a few photographs larger. */
const layouts: Readonly<Record<number, string>> = { 1: 'single', 2: 'pairs', 4: 'pairs' };

/** One message: the person's as plain text, the flow's with its formatting. */
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
      <article className="message of-person" aria-label={texts.you}>
        {photographs.length > 0 && <Photographs photographs={photographs} />}
        {text !== '' && <p className="bubble">{text}</p>}
        <RefusedPhotographs photographs={photographs} />
        {trouble !== undefined && <PastTrouble sentence={trouble} />}
      </article>
    );
  return (
    <article className="message of-flow" aria-label={texts.answer} aria-busy={growing}>
      {text !== '' && (
        <div className="bubble prose">
          <AnswerContext value={{ origin, growing }}>
            <Formatted text={text} />
          </AnswerContext>
        </div>
      )}
      {stopped && <p className="note">{texts.stoppedNote}</p>}
      {trouble !== undefined && <PastTrouble sentence={trouble} />}
    </article>
  );
});

/** The trouble of an earlier message. It is not an alert, since the person has already seen it as one. */
const PastTrouble = ({ sentence }: { sentence: string }) => (
  <p className="note past-trouble">
    <AlertIcon />
    {sentence}
  </p>
);

function Photographs({ photographs }: { photographs: readonly SentPhotograph[] }) {
  const { length } = photographs;
  const [all, setAll] = useState(length <= MOST_SHOWN + 1);
  const shown = all ? photographs : photographs.slice(0, MOST_SHOWN);
  const more = length - shown.length;
  return (
    <div
      className={`sent-photographs ${layouts[length] ?? ''}`}
      role="group"
      aria-label={texts.photographs(length)}
    >
      {shown.map(({ id, name }, index) => (
        <SentPicture key={id} id={id} name={name} label={texts.numbered(index + 1, name)} />
      ))}
      {more > 0 && (
        <button
          type="button"
          className="thumbnail more"
          aria-label={texts.showAll(texts.photographs(length))}
          onClick={() => setAll(true)}
        >
          +{more}
        </button>
      )}
    </div>
  );
}
