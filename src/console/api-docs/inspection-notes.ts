import { captureSchema } from '../../inspection/capture/capture-body.js';
import {
  BYTES,
  EVENTS,
  fields,
  files,
  idempotency,
  json,
  listOf,
  ref,
  type RouteNotes,
} from './route-note.js';

/** A grey JPEG of 8 by 8 pixels: small enough to read, real enough to be recorded. */
const TINY_JPEG =
  'data:image/jpeg;base64,/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/ALAB/9k=';

/** Recording inspections. */
export const inspectionNotes: RouteNotes = {
  'POST /api/v1/inspection/capture': {
    summary: 'Record photographs, a remark or an area',
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
            'skippedAreas',
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
    summary: 'Inspection sessions',
    description:
      '`q` is a part of the session id, such as the end of a telephone number. `lastReport` is `{ id, at, filename }` of the newest inspection report, or null.',
    access: 'admin-or-flow',
    answers: { 200: { description: 'The newest first.', content: json(listOf(ref('SessionItem'))) } },
  },
  'GET /api/v1/inspection/sessions/{sessionId}': {
    summary: 'What an inspection session holds',
    access: 'admin-or-flow',
    errors: ['not_found'],
    answers: { 200: { description: 'The session.', content: json(ref('Session')) } },
  },
  'GET /api/v1/inspection/sessions/{sessionId}/stream': {
    summary: 'An inspection session, live',
    access: 'admin-or-flow',
    errors: ['not_found'],
    answers: { 200: { description: 'The session now, and again whenever it changes.', content: EVENTS } },
  },
  'GET /api/v1/inspection/photographs/{id}/original': {
    summary: 'A photograph as it was sent',
    access: 'admin-or-flow',
    errors: ['not_found'],
    answers: { 200: { description: 'The bytes, untouched.', content: { 'image/*': BYTES } } },
  },
  'GET /api/v1/inspection/photographs/{id}/print': {
    summary: 'A photograph as it is printed',
    access: 'admin-or-flow',
    errors: ['not_found'],
    answers: { 200: { description: 'Upright, without metadata.', content: { 'image/jpeg': BYTES } } },
  },
};
