import { z } from 'zod';
import {
  AREA_TYPES,
  FACT_KINDS,
  FACT_MEMBERS_OF,
  type FactMemberName,
  TIME_SOURCES,
  TURNS,
} from './inspection-terms.js';
import { timestamp } from './shapes.js';

const areaType = z.enum(AREA_TYPES);
const word = z.union([z.string(), z.number(), z.boolean()]);
const labelledValues = z.array(z.strictObject({ label: z.string(), value: z.string() }));

/** Returns a schema for each member of a fact: a word, or the list of an observation's `details`. */
const ofMembers = <Word extends z.ZodType, List extends z.ZodType>(one: Word, list: List) =>
  Object.fromEntries(
    Object.values(FACT_MEMBERS_OF).flatMap((names) =>
      names.map((name) => [name, name === 'details' ? list : one]),
    ),
  ) as Record<Exclude<FactMemberName, 'details'>, Word> & Record<'details', List>;

/** Members of every recorded observation, reading, set of keys or alarm. */
export const factRecord = {
  id: z.string(),
  kind: z.enum(FACT_KINDS),
  area: z.string(),
  areaType,
  fact: z
    .strictObject(ofMembers(word.exactOptional(), labelledValues.exactOptional()))
    .describe('The members that were sent.'),
  photographs: z.array(z.string()).describe('Ids.'),
};

const change = z.strictObject({
  area: z.string().exactOptional(),
  areaType: areaType.exactOptional(),
  withdrawn: z.boolean().exactOptional(),
  turn: z.int().exactOptional().describe('Degrees clockwise; turns add up.'),
  caption: z.string().nullable().exactOptional().describe('Null: it was removed. So are members of facts.'),
  text: z.string().exactOptional(),
  ...ofMembers(word.nullable().exactOptional(), labelledValues.nullable().exactOptional()),
  photographs: z.array(z.string()).exactOptional().describe('Ids, all of them.'),
  undo: z.literal(true).exactOptional().describe('It reverses an earlier correction.'),
});
export type Change = z.infer<typeof change>;

export const correction = z.strictObject({
  at: timestamp,
  by: z.string().describe('The name of a key, `admin` or `chat`.'),
  change,
  reason: z.string().exactOptional(),
});
export type Correction = z.infer<typeof correction>;

const record = {
  id: z.string(),
  flowId: z.string(),
  sessionId: z.string(),
  area: z.string(),
  areaType,
  withdrawnAt: timestamp.exactOptional(),
  pending: z.boolean().describe('No report has taken it, and it is not withdrawn.'),
  corrections: z.array(correction).describe('Oldest first.'),
};

export const correctedPhotograph = z
  .strictObject({
    ...record,
    caption: z.string().exactOptional(),
    turn: z.literal(TURNS),
    capturedAt: timestamp,
    source: z.enum(TIME_SOURCES),
    receivedAt: timestamp,
    sha256: z.string(),
  })
  .meta({ id: 'CorrectedPhotograph' });
export type CorrectedPhotograph = z.infer<typeof correctedPhotograph>;

export const correctedRemark = z
  .strictObject({ ...record, text: z.string(), recordedAt: timestamp })
  .meta({ id: 'CorrectedRemark' });
export type CorrectedRemark = z.infer<typeof correctedRemark>;

export const correctedFact = z
  .strictObject({ ...record, ...factRecord, recordedAt: timestamp })
  .meta({ id: 'CorrectedFact' });
export type CorrectedFact = z.infer<typeof correctedFact>;

/** The first hundred of the records that a correction changed. */
const correctedRecords = z.strictObject({
  photographs: z.array(correctedPhotograph),
  remarks: z.array(correctedRemark),
  facts: z.array(correctedFact),
});
export type CorrectedRecords = z.infer<typeof correctedRecords>;

export const renamedArea = correctedRecords
  .extend({
    flowId: z.string(),
    sessionId: z.string(),
    area: z.string(),
    areaType,
    corrected: z.int().describe('How many records have the new name.'),
  })
  .meta({ id: 'RenamedArea' });
export type RenamedArea = z.infer<typeof renamedArea>;
