import { InvalidRequest } from '../../common/service-error.js';

/** The revisions that a call may change; `any` without `If-Match`. */
export type WantedRevision = ReadonlySet<string> | 'any';

/** One tag of the list with the comma behind it; a tag may contain commas, and the list empty items. */
const item = /[ \t,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?:,|$)/y;
const nothing = /^[ \t,]*$/;

/**
 * Returns the strong tags of an `If-Match` (RFC 9110 section 13.1.1), or `any` for `*` and without this header. Leaves out
 * weak tags, which never match. Throws 400 for any other text, so that a tag without quotes is not mistaken for a changed
 * flow.
 */
function strongTags(ifMatch: string | undefined): WantedRevision {
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

/** Marks the `ETag` of a flow that has a draft: the flow's answer says so, and changes with it. */
const WITH_DRAFT = '.draft';

/** Returns the `ETag` of a flow's answer. */
export const flowTag = (revision: string, draft: boolean): string =>
  `"${revision}${draft ? WITH_DRAFT : ''}"`;

/** Returns the revisions of flows or drafts that an `If-Match` names by their tags. Throws 400 for a malformed one. */
export function wantedRevision(ifMatch: string | undefined): WantedRevision {
  const tags = strongTags(ifMatch);
  if (tags === 'any') return tags;
  return new Set([...tags].map((tag) => (tag.endsWith(WITH_DRAFT) ? tag.slice(0, -WITH_DRAFT.length) : tag)));
}

const malformed = (): InvalidRequest =>
  new InvalidRequest([
    { path: 'If-Match', message: 'must be *, or revisions in double quotes with commas between' },
  ]);
