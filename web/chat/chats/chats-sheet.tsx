import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { BackIcon, DeleteIcon, NewChatIcon } from '../../common/icons.js';
import { Sheet } from '../sheet/sheet.js';
import { texts } from '../texts.js';
import { nameOf, photographsInWords } from './chat-in-words.js';
import type { ChatsSheetProps } from './chats-sheet-props.js';
import { chatsTexts } from './chats-texts.js';
import type { ListedChat } from './device-chats.js';

/** The chats on this device: to continue, to delete, and to start a new one beside them. */
export function ChatsSheet({ chats, shown, inspects, onShow, onNew, onClose }: ChatsSheetProps) {
  const listed = useSyncExternalStore(chats.subscribe, chats.snapshot);
  const show = (id: string) => {
    onShow(id);
    onClose();
  };
  const remove = (id: string) => {
    chats.delete(id);
    // Its chat must not stay open, or the next message would go there.
    if (id === shown) onNew();
  };
  return (
    <Sheet title={inspects ? texts.inspections : texts.chats} onClose={onClose}>
      <div className="chats">
        <button
          type="button"
          className="primary"
          onClick={() => {
            onNew();
            onClose();
          }}
        >
          <NewChatIcon />
          {inspects ? texts.newInspection : texts.newChat}
        </button>
        <p className="sheet-note">{inspects ? chatsTexts.note : chatsTexts.chatsNote}</p>
        <ul aria-label={chatsTexts.list}>
          {listed.map((chat) => (
            <Entry
              key={chat.id}
              {...{ chat, inspects }}
              isShown={chat.id === shown}
              onShow={show}
              onDelete={remove}
              onRestore={(id) => chats.restore(id)}
            />
          ))}
        </ul>
      </div>
    </Sheet>
  );
}

interface EntryProps {
  chat: ListedChat;
  inspects: boolean;
  isShown: boolean;
  onShow: (id: string) => void;
  onDelete: (id: string) => void;
  onRestore: (id: string) => void;
}

function Entry({ chat, inspects, isShown, onShow, onDelete, onRestore }: EntryProps) {
  const { id, deletedAt, messages } = chat;
  const waiting = messages > 0 ? [chatsTexts.messages(messages)] : [];
  const unsent = [...waiting, ...(chat.unsent > 0 ? [texts.photographs(chat.unsent)] : [])];
  const name = nameOf(chat);
  const isDeleted = deletedAt !== undefined;
  const button = useRef<HTMLButtonElement>(null);
  const [wasUsed, setWasUsed] = useState(false);
  // The button that was pressed is replaced by the one that reverses it, which takes over the focus.
  useEffect(() => {
    if (wasUsed) button.current?.focus();
  }, [isDeleted, wasUsed]);
  const change = (work: (chatId: string) => void) => {
    setWasUsed(true);
    work(id);
  };
  if (isDeleted)
    return (
      <li className="deleted">
        <div className="chat-entry" role="status">
          <strong>{chatsTexts.deleted(name)}</strong>
          <span>
            {unsent.length > 0 ? `${chatsTexts.unsentGoes(unsent)} ` : ''}
            {chatsTexts.recordedStays}
          </span>
        </div>
        <button
          ref={button}
          type="button"
          className="quiet-button"
          aria-label={chatsTexts.undoOf(name)}
          onClick={() => change(onRestore)}
        >
          <BackIcon />
          {chatsTexts.undo}
        </button>
      </li>
    );
  const parts = [
    ...(isShown ? [chatsTexts.open] : []),
    ...(inspects ? [chatsTexts.states[chat.state], photographsInWords(chat)] : []),
    ...waiting.map(chatsTexts.waiting),
    chatsTexts.when(chat.at),
  ];
  return (
    <li>
      <button
        type="button"
        className="chat-entry"
        aria-current={isShown ? 'true' : undefined}
        onClick={() => onShow(id)}
      >
        <strong>{name}</strong>
        <span>{parts.join(' · ')}</span>
      </button>
      <button
        ref={button}
        type="button"
        className="round"
        aria-label={chatsTexts.delete(name)}
        title={chatsTexts.delete(name)}
        onClick={() => change(onDelete)}
      >
        <DeleteIcon />
      </button>
    </li>
  );
}
