import { z } from 'zod';
import { correction, factRecord } from './corrections.js';
import { AREA_TYPES, TIME_SOURCES, TURNS } from './inspection-terms.js';
import { reportDetails } from './reports.js';
import { event, timestamp } from './shapes.js';
import { warning } from './warnings.js';

const areaType = z.enum(AREA_TYPES);
const source = z.enum(TIME_SOURCES).describe('`server`: the time of receipt.');
const turn = z.literal(TURNS).describe('Degrees clockwise by which it is printed turned.');
/** An inspection session of a flow. The client chooses its id; two flows may have the same one. */
const address = { flowId: z.string(), sessionId: z.string() };

const summary = {
  pending: z.int().describe('Photographs that no report has taken.'),
  currentArea: z.string().nullable(),
  areas: z
    .array(
      z.strictObject({
        area: z.string(),
        areaType,
        photographs: z.int(),
        remarks: z.int(),
        facts: z
          .int()
          .exactOptional()
          .describe('Observations, readings, keys and alarms; absent where there are none.'),
        pending: z.int(),
      }),
    )
    .describe('The latest 200, in order of first arrival.'),
  outstandingAreas: z.array(z.string()),
};
const sessionSummary = z.strictObject(summary);
export type SessionSummary = z.infer<typeof sessionSummary>;

const corrected = z.int().describe('Corrections made in the session.');

export const sessionAreas = z
  .strictObject({ ...address, ...summary, corrected })
  .meta({ id: 'SessionAreas' });
export type SessionAreas = z.infer<typeof sessionAreas>;

/** One `data:` line of the stream of a session. */
export const sessionEvent = event('session', sessionAreas).meta({ id: 'SessionEvent' });

export const sessionItem = z
  .strictObject({
    ...address,
    photographs: z.int(),
    pending: z.int(),
    remarks: z.int(),
    currentArea: z.string().nullable(),
    areas: z.array(z.string()).describe('In order of first arrival.'),
    title: z.string().nullable().describe('The address.'),
    address: z.string().nullable().describe('Its first 500 characters.'),
    postcode: z.string().nullable(),
    inspector: z.string().nullable(),
    lastReport: z
      .strictObject({ id: z.string(), at: timestamp, filename: z.string() })
      .nullable()
      .describe('The newest inspection report of the session.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'SessionItem' });
export type SessionItem = z.infer<typeof sessionItem>;

/** Members of photographs, remarks and facts in a session. */
const taken = {
  withdrawnAt: timestamp.nullable(),
  pending: z.boolean().describe('No report has taken it, and it is not withdrawn.'),
  reportId: z.string().nullable().describe('The report that took it, or is taking it.'),
};

const camera = z.strictObject({
  time: z.string().exactOptional().describe('The camera’s clock, with its offset where the picture has one.'),
  place: z.strictObject({ latitude: z.number(), longitude: z.number() }).exactOptional(),
  device: z.string().exactOptional(),
});
export type Camera = z.infer<typeof camera>;

/** Sizes are those of the original, upright. */
const photograph = z.strictObject({
  id: z.string(),
  area: z.string(),
  areaType,
  capturedAt: timestamp,
  source,
  receivedAt: timestamp,
  name: z.string().nullable(),
  caption: z.string().nullable(),
  sha256: z.string(),
  bytes: z.int(),
  width: z.int(),
  height: z.int(),
  camera: camera.exactOptional().describe('Metadata of the picture itself, unchecked.'),
  turn,
  corrected: z.int().describe('Number of its corrections.'),
  ...taken,
  executionId: z.string(),
});
export type Photograph = z.infer<typeof photograph>;

const remark = z.strictObject({
  id: z.string(),
  area: z.string(),
  text: z.string(),
  recordedAt: timestamp,
  corrected: z.int(),
  ...taken,
});
export type Remark = z.infer<typeof remark>;

const fact = z.strictObject({
  ...factRecord,
  recordedAt: timestamp,
  ...taken,
  corrections: z.array(correction).describe('Oldest first.'),
});
export type Fact = z.infer<typeof fact>;

export const session = z
  .strictObject({
    ...address,
    title: z.string().nullable().describe('The address in the details of the inspection.'),
    createdAt: timestamp,
    updatedAt: timestamp,
    ...summary,
    corrected,
    photographs: z.array(photograph),
    remarks: z.array(remark),
    facts: z.array(fact),
    omitted: z.int().describe('Older records left out, where the session has more than an answer lists.'),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof session>;

export const messagePhotographs = z
  .strictObject({
    ...address,
    ...summary,
    photographs: z.array(
      z.strictObject({
        messageId: z.string(),
        id: z.string(),
        area: z.string(),
        areaType,
        turn,
        withdrawnAt: timestamp.nullable(),
        report: z
          .strictObject({ id: z.string(), at: timestamp })
          .nullable()
          .describe('The report that took it; null while it can be corrected.'),
      }),
    ),
  })
  .meta({ id: 'PhotographsOfMessages' });
export type PhotographsOfMessages = z.infer<typeof messagePhotographs>;

export const inspectionDetails = z
  .strictObject({
    ...address,
    details: reportDetails,
    updatedAt: timestamp.nullable().describe('Null while nothing is recorded.'),
    warnings: z.array(warning).exactOptional().describe('With a change: the members that were dropped.'),
  })
  .meta({ id: 'Details' });
export type InspectionDetailsView = z.infer<typeof inspectionDetails>;

export const captureAnswer = z
  .strictObject({
    sessionId: z.string(),
    area: z.string().nullable().describe('The area of the call, as it was sent.'),
    areaType: areaType.nullable(),
    remark: z.strictObject({ id: z.string(), area: z.string() }).exactOptional(),
    recorded: z.array(
      z.strictObject({
        id: z.string(),
        index: z.int(),
        area: z.string(),
        sha256: z.string(),
        bytes: z.int(),
        width: z.int().describe('Pixels of the original, upright; so is `height`.'),
        height: z.int(),
        capturedAt: timestamp,
        source,
        sameContentAs: z.string().exactOptional(),
      }),
    ),
    duplicates: z.array(z.strictObject({ index: z.int(), id: z.string(), messageId: z.string() })),
    rejected: z.array(z.strictObject({ index: z.int(), code: z.string(), message: z.string() })),
    recordedFacts: z
      .array(
        z.strictObject({
          ...factRecord,
          duplicate: z.literal(true).exactOptional().describe('The same message recorded it before.'),
        }),
      )
      .exactOptional(),
    warnings: z.array(warning),
    session: sessionSummary,
    executionId: z.string(),
  })
  .meta({ id: 'CaptureAnswer' });
export type CaptureAnswer = z.infer<typeof captureAnswer>;
