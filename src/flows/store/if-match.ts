import { InvalidRequest } from '../../common/service-error.js';

/** One tag of the list, with the comma behind it; a tag may hold commas, and the list empty items. */
const item = /[ \t,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?:,|$)/y;
const nothing = /^[ \t,]*$/;

/**
 * The strong tags that an `If-Match` lists (RFC 9110 section 13.1.1), or `any` for `*` and where there is no such header.
 * Weak tags never match and are left out. Throws 400 for what is no list of tags, so that a tag that lost its quotes
 * is not taken for a flow that was changed.
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
