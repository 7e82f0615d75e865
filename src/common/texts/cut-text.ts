/** Returns the beginning of a text, at most so many UTF-16 units; never half of a character. */
export function cutText(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

/** Returns the text, or its beginning with an ellipsis if it is longer. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${cutText(text, most)}…`;
