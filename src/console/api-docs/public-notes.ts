import { predictionSchema } from '../../prediction/prediction-body.js';
import { captureSchema } from '../../inspection/capture/capture-body.js';
import { renderRequestSchema } from '../../pdf/render-request.js';
import { BYTES, EVENTS, json, listOf, ref, type RouteNotes } from './route-note.js';

/** A grey JPEG of 8 by 8 pixels: small enough to read, real enough to be recorded. */
const TINY_JPEG =
  'data:image/jpeg;base64,/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/ALAB/9k=';

const idempotency = ['idempotency_key_in_use', 'idempotency_key_reused'];
const files = (name: string, description: string) => ({
  [name]: { type: 'array', items: BYTES, description },
});
const anyObject = { type: 'object' };

/** What clients call: running flows, recording inspections, rendering reports, and what chat widgets ask. */
export const publicNotes: RouteNotes = {
  'POST /api/v1/prediction/{flowId}': {
    summary: 'Run a flow',
    description:
      'Posts a message to a flow. With `streaming` a flow that ends in a streamable node answers as Server-Sent Events, any other as JSON: the content type tells. Every check is answered with its status before a stream opens.',
    headers: ['Idempotency-Key', 'X-Share-Link'],
    errors: [
      ...idempotency,
      'question_too_long',
      'session_busy',
      'insufficient_credit',
      'flow_failed',
      'shutting_down',
    ],
    body: {
      json: predictionSchema,
      multipart: {
        type: 'object',
        properties: {
          question: { type: 'string' },
          chatId: { type: 'string' },
          ...files('files', 'Attached to the message.'),
        },
      },
      members: {
        question: 'The message. Required unless `form` or `humanInput` is given.',
        chatId: 'Continues a conversation. Without it the call has no history.',
        overrideConfig:
          '`vars`: values of flow variables. `sessionId`, `startState`, and what the flow allows.',
        uploads: '`{ data, type, name, mime }`; `data` is a data URI or an https address.',
        streaming: 'Asks for Server-Sent Events.',
      },
      examples: {
        message: { question: 'Hello', chatId: 'my-first-inspection' },
        streaming: { question: 'Hello', chatId: 'my-first-inspection', streaming: true },
        variables: { question: 'Hello', overrideConfig: { vars: { tone: 'friendly' } } },
      },
    },
    answers: {
      200: { description: 'The answer.', content: { ...json(ref('PredictionAnswer')), ...EVENTS } },
    },
  },
  'GET /api/v1/prediction/{flowId}/stream': {
    summary: 'Go on with a stream that broke off',
    description: 'Sends what was missed and then the rest, for as long as the run is kept.',
    headers: ['Last-Event-ID'],
    errors: ['stream_expired'],
    answers: { 200: { description: 'The events after `Last-Event-ID`.', content: EVENTS } },
  },
  'PUT /api/v1/chatmessage/abort/{flowId}/{chatId}': {
    summary: 'Stop the runs of a chat',
    answers: { 200: { description: 'They are stopped.', content: json(anyObject) } },
  },
  'GET /api/v1/chatflows-streaming/{flowId}': {
    summary: 'Whether a flow streams',
    answers: {
      200: {
        description: 'The same that a streaming call would find.',
        content: json({
          type: 'object',
          required: ['isStreaming'],
          properties: { isStreaming: { type: 'boolean' } },
        }),
      },
    },
  },
  'GET /chat/{flowId}': {
    summary: 'The hosted chat page: the share link of a flow',
    description:
      'Answered only while `access.public` of the flow is true. Its calls carry `X-Share-Link: true`; the page of a flow with a key asks for the key. A browser that is refused gets a page, under the same status.',
    errors: ['share_link_not_public'],
    answers: { 200: { description: 'The page.', content: { 'text/html': { type: 'string' } } } },
  },
  'GET /': {
    summary: 'The front page',
    answers: { 200: { description: 'What runs here.', content: { 'text/html': { type: 'string' } } } },
  },
  'GET /web/assets/{name}': {
    summary: 'Scripts, styles and pictures of the pages',
    answers: { 200: { description: 'The file.' } },
  },
  'GET /api/v1/public-chatbotConfig/{flowId}': {
    summary: 'How a chat widget shall look',
    description: 'Never prompts, credentials or model settings.',
    answers: { 200: { description: 'The configuration.', content: json(anyObject) } },
  },
  'POST /api/v1/feedback/{flowId}': {
    summary: 'Rate an answer',
    body: {
      members: { messageId: '`chatMessageId` of the answer.' },
      examples: {
        thumbs: {
          chatId: 'my-first-inspection',
          messageId: 'a-message',
          rating: 'THUMBS_UP',
          content: 'Helpful',
        },
      },
    },
    answers: { 200: { description: 'The feedback.', content: json(anyObject) } },
  },
  'PUT /api/v1/feedback/{feedbackId}': {
    summary: 'Change a rating',
    errors: ['not_found', 'flow_not_found', 'invalid_api_key'],
    body: { examples: { comment: { rating: 'THUMBS_DOWN', content: 'The wrong address' } } },
    answers: { 200: { description: 'The feedback.', content: json(anyObject) } },
  },
  'POST /api/v1/leads': {
    summary: 'Leave contact details in a chat',
    errors: ['flow_not_found', 'invalid_api_key'],
    body: {
      examples: {
        lead: {
          chatflowid: 'inspection-assistant',
          chatId: 'my-first-inspection',
          name: 'Duty Inspector',
          email: 'jordan@example.com',
        },
      },
    },
    answers: { 200: { description: 'The lead.', content: json(anyObject) } },
  },
  'POST /api/v1/attachments/{flowId}/{chatId}': {
    summary: 'Attach files to a chat',
    errors: ['invalid_request', 'body_too_large', 'unsupported_media_type'],
    body: { multipart: { type: 'object', properties: files('files', '1 to 20 files.') }, examples: {} },
    answers: {
      200: {
        description: 'What was kept, with the names under which it is read.',
        content: json({ type: 'array', items: anyObject }),
      },
    },
  },
  'GET /api/v1/get-upload-file': {
    summary: 'Read a file of a chat',
    description: '`fileName` is the name that the service issued.',
    errors: ['not_found', 'flow_not_found', 'invalid_api_key'],
    answers: { 200: { description: 'The bytes.', content: { 'application/octet-stream': BYTES } } },
  },
  'POST /api/v1/inspection/capture': {
    summary: 'Record photographs, a remark or an area',
    description:
      'Every photograph is durable before the answer. One bad photograph never loses the others: it is listed in `rejected`. With `?flowId=` the caller is checked before the body is read.',
    headers: ['Idempotency-Key'],
    errors: [...idempotency, 'flow_not_found', 'invalid_api_key', 'no_usable_photograph', 'shutting_down'],
    body: {
      json: captureSchema,
      multipart: {
        type: 'object',
        properties: {
          flowId: { type: 'string' },
          sessionId: { type: 'string' },
          ...files('photographs', 'The pictures.'),
          photographsMeta: {
            type: 'string',
            description: "A JSON array in the files' order: captureTs, caption, messageId.",
          },
        },
      },
      members: {
        flowId: 'The flow that inspects; its access rules apply.',
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
    access: 'admin-or-flow',
    answers: { 200: { description: 'The newest first.', content: json(listOf(anyObject)) } },
  },
  'GET /api/v1/inspection/sessions/{sessionId}': {
    summary: 'What an inspection session holds',
    access: 'admin-or-flow',
    errors: ['not_found'],
    answers: { 200: { description: 'The session.', content: json(anyObject) } },
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
  'POST /api/v1/pdf/render': {
    summary: 'Render the inspection report, or compare two',
    description:
      'Claims the pending photographs of the session once and draws the report. With `Accept: application/pdf` the answer is the PDF itself. A session with nothing pending gives no file. The template `comparison`, with `source: { type: "comparison", before, after }` and the ids of two reports, puts them side by side and claims nothing.',
    headers: ['Idempotency-Key', 'Prefer'],
    errors: [
      ...idempotency,
      'invalid_api_key',
      'address_blocked',
      'rate_limited',
      'incomplete_inspection',
      'not_found',
      'email_not_configured',
      'email_not_allowed',
      'shutting_down',
    ],
    body: {
      json: renderRequestSchema,
      members: {
        templateId: '`inspection` or `comparison`.',
        'source.sessionId': 'Whose photographs are claimed.',
        'source.meta':
          'Property details, all optional: address, assessor, tenant, company, reportType (interim, checkin, checkout), guided, propertyNo, postcode, logo, geo, areaComments, keyDetails, skippedAreas.',
        'source.requireComplete': 'Refuses while areas are outstanding.',
        'source.forceFinish': 'Waives every outstanding area.',
        'delivery.email': 'Also mails the report.',
      },
      examples: {
        'check-in': {
          templateId: 'inspection',
          source: {
            type: 'inspection',
            sessionId: 'my-first-inspection',
            meta: {
              address: '14 Acacia Avenue, Leeds',
              assessor: 'Duty Inspector',
              reportType: 'checkin',
              propertyNo: '14',
              postcode: 'LS1 4AP',
              skippedAreas: 'gas-meter|water-meter',
            },
          },
        },
      },
    },
    answers: {
      200: {
        description: 'The report, or why there is none.',
        content: { ...json(ref('RenderAnswer')), 'application/pdf': BYTES },
      },
      202: { description: 'Accepted: `Location` says where to ask.', content: json(ref('AcceptedRender')) },
      204: { description: 'Nothing pending, to a caller that takes a PDF only.' },
    },
  },
  'GET /api/v1/pdf/renders/{id}': {
    summary: 'How an asynchronous render goes',
    errors: ['not_found'],
    answers: {
      200: {
        description: 'Status with progress; as a stream when asked.',
        content: { ...json(anyObject), ...EVENTS },
      },
    },
  },
  'GET /api/v1/pdf/reports': {
    summary: 'Past reports',
    access: 'admin-or-flow',
    answers: { 200: { description: 'The newest first.', content: json(listOf(anyObject)) } },
  },
  'GET /api/v1/pdf/reports/{id}/file': {
    summary: 'A report as PDF',
    access: 'signed-or-flow',
    errors: ['not_found'],
    answers: { 200: { description: 'The file.', content: { 'application/pdf': BYTES } } },
  },
  'GET /api/v1/pdf/reports/{id}/manifest': {
    summary: 'The sealed list of evidence of a report',
    access: 'admin-or-flow',
    errors: ['not_found'],
    answers: { 200: { description: 'The list, with its seal.', content: json(anyObject) } },
  },
  'GET /api/v1/pdf/seal': {
    summary: 'The public key of the seals',
    answers: {
      200: { description: 'The key that checks every seal of this service.', content: json(anyObject) },
    },
  },
};
