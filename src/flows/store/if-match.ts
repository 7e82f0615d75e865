import { InvalidRequest } from '../../common/service-error.js';

/** One tag of the list with the comma behind it; a tag may contain commas, and the list empty items. */
const item = /[ \t,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?:,|$)/y;
const nothing = /^[ \t,]*$/;

/**
 * Returns the strong tags of an `If-Match` (RFC 9110 section 13.1.1), or `any` for `*` and without this header. Leaves out
 * weak tags, which never match. Throws 400 for any other text, so that a tag without quotes is not mistaken for a changed
 * flow.
 */
export function strongTags(ifMatch: string | undefined): ReadonlySet<string> | 'any' {
  if (ifMatch === undefined || ifMatch.trim() === '*') return 'any';
  if (nothing.test(ifMatch)) throw malformed();
  const tags = new Set<string>();
  for (let at = 0; !nothing.test(ifMatch.slice(at)); at = item.lastIndex) {
    item.lastIndex = at;
    const found = item.exec(ifMatch);
    if (!found) throw malformed();
    if (found[1] === undefined) tags.add(found[2]!);
  }
  return tags;
}

const malformed = (): InvalidRequest =>
  new InvalidRequest([
    { path: 'If-Match', message: 'must be *, or revisions in double quotes with commas between' },
  ]);
