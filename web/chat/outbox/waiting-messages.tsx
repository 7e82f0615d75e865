import { useSyncExternalStore } from 'react';
import { AlertIcon, ClockIcon } from '../../common/icons.js';
import type { PhotographTray } from '../photographs/photograph-tray.js';
import { Picture } from '../photographs/picture.js';
import { texts } from '../texts.js';
import type { Conversation } from '../turns/conversation.js';
import { useOnline } from '../use-online.js';
import { outboxTexts } from './outbox-texts.js';
import type { Outbox, WaitingMessage } from './outbox.js';
import { reasonOf, type WaitReason } from './wait-reason.js';

interface WaitingMessagesProps {
  outbox: Outbox;
  conversation: Conversation;
  tray: PhotographTray;
  onEdit: (message: WaitingMessage) => void;
}

/**
 * The messages that wait to be sent, each with the reason. They can be removed until they go and, unless one is a form or a
 * decision, edited.
 */
export function WaitingMessages({ outbox, conversation, tray, onEdit }: WaitingMessagesProps) {
  useSyncExternalStore(outbox.subscribe, outbox.snapshot);
  const { trouble } = useSyncExternalStore(conversation.subscribe, conversation.snapshot);
  const { held } = useSyncExternalStore(tray.subscribe, tray.snapshot);
  const online = useOnline();
  return outbox.unsent().map((message, index) => (
    <article
      key={message.id}
      className="message of-person is-waiting"
      aria-label={outboxTexts.waitingMessage}
    >
      {message.photographs.length > 0 && (
        <div
          className="sent-photographs"
          role="group"
          aria-label={texts.photographs(message.photographs.length)}
        >
          {message.photographs.map(({ id, name }, place) => (
            <Picture key={id} id={id} name={name} label={texts.numbered(place + 1, name)} />
          ))}
        </div>
      )}
      {message.text !== '' && <p className="bubble">{message.text}</p>}
      <Status
        reason={reasonOf({ message, index, held, trouble, online })}
        onProceed={index === 0 && trouble && !trouble.waits ? outbox.proceed : undefined}
      />
      {!message.onDevice && <p className="note">{outboxTexts.waitsInMemory}</p>}
      {!message.begun && (
        <p className="waiting-actions">
          {!message.form && !message.humanInput && (
            <button type="button" className="quiet-button" onClick={() => onEdit(message)}>
              {outboxTexts.editWaiting}
            </button>
          )}
          <button type="button" className="quiet-button" onClick={() => void outbox.discard(message.id)}>
            {outboxTexts.removeWaiting}
          </button>
        </p>
      )}
    </article>
  ));
}

function Status({ reason, onProceed }: { reason: WaitReason; onProceed?: (() => void) | undefined }) {
  return (
    <p className={`note waiting-status ${reason.isStuck ? 'past-trouble' : ''}`}>
      {reason.isStuck ? <AlertIcon /> : <ClockIcon />}
      {reason.sentence}
      {onProceed && (
        <button type="button" className="quiet-button" onClick={onProceed}>
          {outboxTexts.sendWaiting}
        </button>
      )}
    </p>
  );
}
