import { type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';
import { takeEarlyWords } from './start/early-words.js';
import { texts } from './texts.js';

/** Touch keyboards have a send button beside them and need Enter for new lines. */
export const typesOnKeyboard = () => matchMedia('(hover: hover) and (pointer: fine)').matches;

/** The field for the words of a message. Enter sends them where there is a keyboard. */
export function MessageField({
  field,
  text,
  readOnly,
  onChange,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  readOnly: boolean;
  onChange: (text: string) => void;
}) {
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !typesOnKeyboard())
      return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <>
      <label htmlFor="message" className="hidden">
        {texts.message}
      </label>
      <div className="grows" data-text={text}>
        <textarea
          id="message"
          ref={field}
          rows={1}
          dir="auto"
          value={text}
          readOnly={readOnly}
          placeholder={texts.placeholder}
          enterKeyHint="enter"
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
    </>
  );
}

/** Takes over the text typed into the served page before its script ran, and keeps an on-screen keyboard open. */
export function useEarlyWords(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
): void {
  useLayoutEffect(() => {
    const { words, writing } = takeEarlyWords();
    if (words !== '') setText([text, words].filter((part) => part !== '').join('\n'));
    if (writing) field.current?.focus();
  }, []);
}
