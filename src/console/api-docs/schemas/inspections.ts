import { ref, type JsonSchema } from '../../../api/route-note.js';
import { factMembers } from '../../../inspection/facts/fact-changes.js';
import { metaSchema } from '../../../inspection/report/meta-schema.js';
import { flag, list, maybe, number, shape, text, time } from './shape.js';

const areaType = { enum: ['room', 'external', 'service'] };
const source = { enum: ['captureTs', 'server'] };

const summaryMembers = {
  pending: number,
  currentArea: maybe(text),
  areas: list(
    shape({ area: text, areaType, photographs: number, remarks: number, 'facts?': number, pending: number }),
  ),
  outstandingAreas: list(text),
};

/** The word of the picture itself. `time` is the camera's clock, with an offset where the picture says one. */
const camera = shape({
  'time?': text,
  'place?': shape({ latitude: number, longitude: number }),
  'device?': text,
});

/** An observation, a reading, keys or an alarm: `fact` has the members that were said. */
const recordedFact = {
  id: text,
  kind: { enum: ['observation', 'reading', 'keys', 'alarm'] },
  area: text,
  areaType,
  fact: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
  photographs: list(text),
};

/** The members of facts as corrections tell them; null took one away. */
const sayings = {
  ...Object.fromEntries(
    Object.keys(factMembers).map((name) => [`${name}?`, { type: ['string', 'number', 'boolean', 'null'] }]),
  ),
  'photographs?': list(text),
};

const recordMembers = {
  id: text,
  flowId: text,
  sessionId: text,
  area: text,
  areaType,
  'withdrawnAt?': time,
  pending: flag,
  corrections: list(
    shape({
      at: time,
      by: text,
      change: shape({
        'area?': text,
        'areaType?': areaType,
        'withdrawn?': flag,
        'turn?': number,
        'caption?': maybe(text),
        'text?': text,
        ...sayings,
        'undo?': flag,
      }),
      'reason?': text,
    }),
  ),
};

/** Answers of captures and inspection sessions. */
export const inspectionSchemas: Readonly<Record<string, JsonSchema>> = {
  CaptureAnswer: shape({
    sessionId: text,
    area: maybe(text),
    areaType: maybe(areaType),
    'remark?': shape({ id: text, area: text }),
    recorded: list(
      shape({
        id: text,
        index: number,
        area: text,
        sha256: text,
        bytes: number,
        width: number,
        height: number,
        capturedAt: time,
        source,
        'sameContentAs?': text,
      }),
    ),
    duplicates: list(shape({ index: number, id: text, messageId: text })),
    rejected: list(shape({ index: number, code: text, message: text })),
    'recordedFacts?': list(shape({ ...recordedFact, 'duplicate?': flag })),
    warnings: list(ref('Warning')),
    session: shape(summaryMembers),
    executionId: text,
  }),
  CorrectedPhotograph: shape({
    ...recordMembers,
    'caption?': text,
    turn: { enum: [0, 90, 180, 270] },
    capturedAt: time,
    source,
    receivedAt: time,
    sha256: text,
  }),
  CorrectedRemark: shape({ ...recordMembers, text, recordedAt: time }),
  CorrectedFact: shape({ ...recordMembers, ...recordedFact, recordedAt: time }),
  RenamedArea: shape({
    flowId: text,
    sessionId: text,
    area: text,
    areaType,
    corrected: number,
    photographs: list(ref('CorrectedPhotograph')),
    remarks: list(ref('CorrectedRemark')),
    facts: list(ref('CorrectedFact')),
  }),
  PhotographsOfMessages: shape({
    flowId: text,
    sessionId: text,
    ...summaryMembers,
    photographs: list(
      shape({
        messageId: text,
        id: text,
        area: text,
        areaType,
        turn: { enum: [0, 90, 180, 270] },
        withdrawnAt: maybe(time),
        report: maybe(shape({ id: text, at: time })),
      }),
    ),
  }),
  SessionItem: shape({
    flowId: text,
    sessionId: text,
    photographs: number,
    pending: number,
    remarks: number,
    currentArea: maybe(text),
    areas: list(text),
    title: maybe(text),
    address: maybe(text),
    postcode: maybe(text),
    inspector: maybe(text),
    lastReport: maybe(shape({ id: text, at: time, filename: text })),
    createdAt: time,
    updatedAt: time,
  }),
  Details: shape({
    sessionId: text,
    flowId: text,
    details: metaSchema,
    updatedAt: maybe(time),
    'warnings?': list(ref('Warning')),
  }),
  SessionAreas: shape({ sessionId: text, flowId: text, ...summaryMembers, corrected: number }),
  Session: shape({
    flowId: text,
    sessionId: text,
    title: maybe(text),
    createdAt: time,
    updatedAt: time,
    ...summaryMembers,
    corrected: number,
    photographs: list(
      shape({
        id: text,
        area: text,
        areaType,
        capturedAt: time,
        source,
        receivedAt: time,
        name: maybe(text),
        caption: maybe(text),
        sha256: text,
        bytes: number,
        width: number,
        height: number,
        'camera?': camera,
        turn: number,
        withdrawnAt: maybe(time),
        corrected: number,
        pending: flag,
        reportId: maybe(text),
        executionId: text,
      }),
    ),
    remarks: list(
      shape({
        id: text,
        area: text,
        text,
        recordedAt: time,
        withdrawnAt: maybe(time),
        corrected: number,
        pending: flag,
        reportId: maybe(text),
      }),
    ),
    facts: list(
      shape({
        ...{ ...recordedFact, recordedAt: time, withdrawnAt: maybe(time), pending: flag },
        ...{ reportId: maybe(text), corrections: recordMembers.corrections },
      }),
    ),
    omitted: number,
  }),
};
