import {
  BYTES,
  EVENT_STREAM,
  fields,
  files,
  idempotency,
  json,
  listOf,
  ref,
  type RouteNotes,
} from '../../../api/route-note.js';
import { captureSchema } from '../../../inspection/capture/capture-body.js';
import { metaSchema } from '../../../inspection/report/meta-schema.js';

/** A grey JPEG of 8 by 8 pixels: small enough to read, real enough to be recorded. */
const TINY_JPEG =
  'data:image/jpeg;base64,/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/ALAB/9k=';

const changeSchema = {
  type: 'object',
  description: 'The members to be replaced; `null` for one to be removed.',
  properties: Object.fromEntries(
    Object.entries(metaSchema.properties).map(([name, member]) => [
      name,
      { anyOf: [member, { type: 'null' }] },
    ]),
  ),
};

const FILLS =
  'A render fills what its own `meta` leaves out from there; `null` or `""` in its `meta` leaves a member blank.';

const WHO =
  'For the admin key or the flow’s key; on an open flow for whoever knows a session id that is a version 4 UUID.';

const NAMED = {
  flowId: 'The flow of the session; required where several of the caller’s flows have a session of this id.',
};

/** The members that say facts; in a form each is JSON. */
const FACT_NOTES = {
  observations:
    '`[{ item, condition, cleanliness, description, photographs }]`: `condition` is new, good, fair, poor or damaged, `cleanliness` clean, dusty or dirty, `photographs` are indices of this call or ids. A wrong member is dropped with a warning.',
  reading:
    '`{ value, unit, serial }` of the meter that the area is. It takes its area off `outstandingAreas`.',
  keys: '`[{ kind, count }]`, under the area Keys.',
  alarm: '`{ kind, place, tested, expires }`, under the area Detectors.',
};

/** Recording inspections. */
export const inspectionNotes: RouteNotes = {
  'POST /api/v1/inspection/capture': {
    summary: 'Record photographs, a remark, an area or observations',
    description:
      'Every photograph is durable before the answer. One bad photograph never loses the others: it is listed in `rejected`. With `?flowId=` the caller is checked before the body is read.',
    query: {
      flowId: 'The flow that inspects. May stand here instead of in the body, or in both when they agree.',
    },
    headers: idempotency.headers,
    errors: [
      ...idempotency.errors,
      'flow_not_found',
      'invalid_api_key',
      'no_usable_photograph',
      'session_full',
      'quota_exceeded',
      'aborted',
      'shutting_down',
    ],
    body: {
      json: captureSchema,
      multipart: {
        type: 'object',
        properties: {
          ...fields([
            ...['flowId', 'sessionId', 'chatId', 'area', 'areaType', 'captureTs', 'remark', 'messageId'],
            ...['skippedAreas', 'details', 'observations', 'reading', 'keys', 'alarm'],
          ]),
          ...files('photographs', 'The pictures.'),
          photographsMeta: {
            type: 'string',
            description: "A JSON array in the files' order: captureTs, caption, messageId.",
          },
        },
      },
      members: {
        flowId: 'The flow that inspects; its access rules apply. Required here or as `?flowId=`.',
        sessionId: 'The inspection session (alias `chatId`).',
        area: 'Becomes the current area. Without it the current area is meant.',
        captureTs: 'When the messaging platform says that the message was sent: unix time or ISO 8601.',
        remark: 'Recorded against the area of the call and closes it.',
        ...FACT_NOTES,
        details: { ...changeSchema, description: 'Members of the inspection’s record to be replaced.' },
        photographs: '`{ data | url, name, caption, captureTs, messageId }` (aliases `photos`, `uploads`).',
      },
      examples: {
        photograph: {
          flowId: 'inspection-assistant',
          sessionId: 'my-first-inspection',
          area: 'Kitchen',
          captureTs: '1504902988',
          photographs: [{ data: TINY_JPEG, name: 'kitchen.jpg', messageId: 'message-1' }],
        },
        remark: {
          flowId: 'inspection-assistant',
          sessionId: 'my-first-inspection',
          remark: 'Scratch on the worktop',
        },
      },
    },
    answers: { 200: { description: 'What was recorded.', content: json(ref('CaptureAnswer')) } },
  },
  'GET /api/v1/inspection/sessions': {
    summary: 'List inspection sessions',
    description:
      '`q` is a part of the session id, such as the end of a telephone number, or of the address, postcode or inspector in the record of the inspection; `title` is the address. `lastReport` is `{ id, at, filename }` of the newest inspection report, or null.',
    access: 'admin-or-flow',
    answers: { 200: { description: 'The newest first.', content: json(listOf(ref('SessionItem'))) } },
  },
  'GET /api/v1/inspection/sessions/{sessionId}': {
    summary: 'Read an inspection session',
    access: 'admin-or-flow',
    errors: ['not_found'],
    answers: { 200: { description: 'The session.', content: json(ref('Session')) } },
  },
  'GET /api/v1/inspection/sessions/{sessionId}/areas': {
    summary: 'Read the areas of an inspection and what is outstanding',
    description: `Its areas with the number of their photographs and remarks, and what is outstanding: \`session\` of a capture’s answer. ${WHO}`,
    access: 'own-session',
    query: NAMED,
    errors: ['flow_not_found', 'not_found', 'invalid_request'],
    answers: {
      200: { description: 'The areas; none before the first capture.', content: json(ref('SessionAreas')) },
    },
  },
  'GET /api/v1/inspection/sessions/{sessionId}/photographs': {
    summary: 'Look up photographs by their message ids',
    description: `Those that were recorded, in the order in which they are asked for, with their ids for corrections and prints; of several of one message id the first. ${WHO}`,
    access: 'own-session',
    query: NAMED,
    errors: ['flow_not_found', 'not_found', 'invalid_request'],
    answers: {
      200: { description: 'The session and those photographs.', content: json(ref('PhotographsOfMessages')) },
    },
  },
  'GET /api/v1/inspection/sessions/{sessionId}/stream': {
    summary: 'Stream an inspection session as it changes',
    access: 'admin-or-flow',
    errors: ['not_found'],
    answers: {
      200: { description: 'The session now, and again whenever it changes.', content: EVENT_STREAM },
    },
  },
  'GET /api/v1/inspection/sessions/{sessionId}/details': {
    summary: 'Read the details of an inspection',
    description: `The members of \`meta\` that are known of it. ${FILLS} ${WHO}`,
    access: 'own-session',
    query: NAMED,
    errors: ['flow_not_found', 'not_found', 'invalid_request'],
    answers: {
      200: { description: 'The record; empty while nothing was said.', content: json(ref('Details')) },
    },
  },
  'PATCH /api/v1/inspection/sessions/{sessionId}/details': {
    summary: 'Change the details of an inspection',
    description: `Replaces the members that are sent, and no others; \`null\` removes one. An unknown or wrong one is dropped with a warning. At most 64 KiB. ${FILLS} ${WHO}`,
    access: 'own-session',
    query: NAMED,
    errors: ['flow_not_found', 'not_found'],
    body: {
      json: changeSchema,
      examples: {
        property: { address: '14 Acacia Avenue, Leeds', postcode: 'LS1 4AP', assessor: 'Duty Inspector' },
        removal: { tenant: null },
      },
    },
    answers: { 200: { description: 'The record as it is now.', content: json(ref('Details')) } },
  },
  'GET /api/v1/inspection/photographs/{id}/original': {
    summary: 'Download the original of a photograph',
    access: 'admin-or-flow',
    errors: ['stored_file_damaged', 'not_found'],
    answers: { 200: { description: 'The bytes, untouched.', content: { 'image/*': BYTES } } },
  },
  'GET /api/v1/inspection/photographs/{id}/print': {
    summary: 'Download the print version of a photograph',
    access: 'own-session',
    description:
      'On an open flow also for whoever sends the id of its session, where that is a version 4 UUID: as `?sessionId=`, or as the bearer token.',
    query: { sessionId: 'The session of the photograph.' },
    errors: ['stored_file_damaged', 'not_found'],
    answers: { 200: { description: 'Upright, without metadata.', content: { 'image/jpeg': BYTES } } },
  },
};
