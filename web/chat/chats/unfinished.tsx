import { texts } from '../texts.js';
import { nameOf, photographsInWords } from './chat-in-words.js';
import type { ListedChat } from './device-chats.js';

/** The rest is in the list. */
const MOST_SHOWN = 3;

/** The unfinished inspections of this device, to continue one instead of starting another. */
export function Unfinished({
  chats,
  onShow,
}: {
  chats: readonly ListedChat[];
  onShow: (id: string) => void;
}) {
  const unfinished = chats.filter(
    ({ state, deletedAt }) => state === 'unfinished' && deletedAt === undefined,
  );
  if (unfinished.length === 0) return null;
  return (
    <section className="unfinished" aria-label={texts.unfinished}>
      <h3>{texts.unfinished}</h3>
      <ul>
        {unfinished.slice(0, MOST_SHOWN).map((chat) => (
          <li key={chat.id}>
            <button type="button" className="chat-entry" onClick={() => onShow(chat.id)}>
              <strong>{nameOf(chat)}</strong>
              <span>{photographsInWords(chat)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
