import { z } from 'zod';
import type { Change } from '../../api/corrections.js';
import { AREA_TYPES } from '../../api/inspection-terms.js';
import { InvalidRequest } from '../../common/service-error.js';
import { tidySpaces } from '../areas/area-heading.js';
import { factMembers, type FactChange } from '../facts/fact-changes.js';

const LONGEST_AREA = 200;
const LONGEST_CAPTION = 2_000;
const LONGEST_TEXT = 65_536;
const LONGEST_REASON = 1_000;

const upTo = (most: number) => z.string().max(most, `must have at most ${most} characters`);

/** The name of an area, on one line, with a letter, digit or symbol in it. */
export const areaName = z
  .string()
  .transform(tidySpaces)
  .refine(
    (name) => name.length <= LONGEST_AREA && /[\p{L}\p{N}\p{S}]/u.test(name),
    `must be the name of an area, of 1 to ${LONGEST_AREA} characters`,
  );

const reason = upTo(LONGEST_REASON)
  .transform((text) => text.trim())
  .nullish()
  .describe('Stored with the correction.');

const areaType = z.enum(AREA_TYPES, 'must be room, external or service');

const ofAnything = {
  area: areaName.nullish().describe('The area that it belongs to.'),
  areaType: areaType.nullish().describe('Where that area is printed; absent: by its name.'),
  withdrawn: z
    .boolean()
    .nullish()
    .describe('`true`: stored, but neither printed nor counted. `false` restores it.'),
  reason,
};

/** The members of a photograph that may be corrected. */
export const photographChange = z.object({
  ...ofAnything,
  turn: z
    .union([z.literal(90), z.literal(180), z.literal(270)], 'must be 90, 180 or 270')
    .nullish()
    .describe('Degrees clockwise; turns add up.'),
  caption: upTo(LONGEST_CAPTION).nullish().describe('Printed under it; an empty text removes it.'),
});

/** The members of a remark that may be corrected. */
export const remarkChange = z.object({
  ...ofAnything,
  text: upTo(LONGEST_TEXT)
    .refine((text) => text.trim() !== '', 'must not be empty: send withdrawn: true to remove the remark')
    .nullish()
    .describe('The remark’s words.'),
});

/** The members of a fact that may be corrected, of every kind. */
export const factChange = z.object({ ...ofAnything, ...factMembers });

/** The names of an area before and after. */
export const rename = z.object({ from: areaName, to: areaName, reason });

export interface ChangeRequest {
  change: Change;
  reason?: string;
}

type ChangeMembers = Partial<z.infer<typeof photographChange> & z.infer<typeof remarkChange>>;

/** Reads checked members; `facts` are those of a fact. Throws 400 if they change nothing. */
export function readChange(
  { reason: why, ...members }: ChangeMembers,
  facts: FactChange = {},
  path = '',
): ChangeRequest {
  const change: Change = { ...facts };
  if (members.area) change.area = members.area;
  if (members.areaType) change.areaType = members.areaType;
  if (typeof members.withdrawn === 'boolean') change.withdrawn = members.withdrawn;
  if (members.turn) change.turn = members.turn;
  if (typeof members.caption === 'string') change.caption = members.caption.trim() || null;
  if (members.text) change.text = members.text.trim();
  if (Object.keys(change).length > 0) return { change, ...(why ? { reason: why } : {}) };
  throw new InvalidRequest(
    [{ path, message: 'send area, areaType, withdrawn, or a member of the record’s own' }],
    'There is nothing to correct. Send the members that are to change.',
  );
}
