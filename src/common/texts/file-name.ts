const LONGEST = 200;
/** Control characters, the invisible direction marks among them, which show one ending for another; halves of characters. */
const STRIPPED = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The name of a file as it may be shown and saved, at most 200 characters; `nameless` where nothing is left of it. */
export const shownName = (given: string, nameless: string): string =>
  given.slice(0, LONGEST).replace(STRIPPED, '').trim() || nameless;
