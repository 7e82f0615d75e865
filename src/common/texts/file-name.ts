const LONGEST = 200;
/** Control characters, lone surrogates, and direction marks, which can disguise the extension of a file. */
const STRIPPED = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Returns a file name that is safe to show and save, at most 200 characters; `nameless` when nothing is left. */
export const shownName = (given: string, nameless: string): string =>
  given.slice(0, LONGEST).replace(STRIPPED, '').trim() || nameless;
