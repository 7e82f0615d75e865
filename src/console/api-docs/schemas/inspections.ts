import { ref, type JsonSchema } from '../route-note.js';
import { flag, list, maybe, number, shape, text, time } from './shape.js';

const areaType = { enum: ['room', 'external', 'service'] };
const source = { enum: ['captureTs', 'server'] };

const summaryMembers = {
  pending: number,
  currentArea: maybe(text),
  areas: list(shape({ area: text, areaType, photographs: number, remarks: number, pending: number })),
  outstandingAreas: list(text),
};

/** What captures and inspection sessions answer. */
export const inspectionSchemas: Readonly<Record<string, JsonSchema>> = {
  CaptureAnswer: shape({
    sessionId: text,
    area: maybe(text),
    areaType: maybe(areaType),
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
    warnings: list(ref('Warning')),
    session: shape(summaryMembers),
    executionId: text,
  }),
  SessionItem: shape({
    flowId: text,
    sessionId: text,
    photographs: number,
    pending: number,
    remarks: number,
    currentArea: maybe(text),
    areas: list(text),
    lastReport: maybe(shape({ id: text, at: time, filename: text })),
    createdAt: time,
    updatedAt: time,
  }),
  Session: shape({
    flowId: text,
    sessionId: text,
    createdAt: time,
    updatedAt: time,
    ...summaryMembers,
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
        pending: flag,
        reportId: maybe(text),
        executionId: text,
      }),
    ),
    remarks: list(
      shape({ id: text, area: text, text, recordedAt: time, pending: flag, reportId: maybe(text) }),
    ),
  }),
};
