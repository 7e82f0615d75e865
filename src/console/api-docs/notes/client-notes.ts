import { attachments, chatConfig, chatMessage, feedback, lead, listedFeedback } from '../../../api/chats.js';
import { BYTES, files, json, type RouteNotes } from '../../../api/route-note.js';
import { pageSchema } from '../../../api/shapes.js';

/** Routes that chat widgets call beside running flows. */
export const clientNotes: RouteNotes = {
  'GET /api/v1/chatflows-streaming/{flowId}': {
    summary: 'Check whether a flow streams',
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
  'GET /api/v1/public-chatbotConfig/{flowId}': {
    summary: 'Read the settings of a chat widget',
    description: 'Never prompts, credentials or model settings.',
    answers: { 200: { description: 'The configuration.', content: json(chatConfig) } },
  },
  'GET /api/v1/chatmessage/{flowId}': {
    summary: 'List the messages of a chat',
    description:
      'Newest first, for the key of the flow or the admin key; a chat that nobody knows has none. Of an open flow they ' +
      'are for the admin key alone, since chat ids are telephone numbers, unless the chat’s id is a random UUID (version ' +
      '4), which is itself the key to its own chat. Very long messages make a page shorter than `limit`.',
    access: 'admin-or-flow',
    query: { chatId: 'The chat, in full.', limit: 'At most 200; 50 unless said otherwise.' },
    answers: {
      200: { description: 'What was said.', content: json(pageSchema(chatMessage)) },
    },
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
    answers: { 200: { description: 'The feedback.', content: json(feedback) } },
  },
  'GET /api/v1/feedback/{flowId}': {
    summary: 'List the ratings of a flow',
    description:
      'Newest first. `question` and `answer` are the first 500 characters of what the feedback is about; null where no message has the id.',
    errors: ['not_found'],
    query: { limit: 'At most 200; 50 unless said otherwise.' },
    answers: { 200: { description: 'The feedback.', content: json(pageSchema(listedFeedback)) } },
  },
  'PUT /api/v1/feedback/{feedbackId}': {
    summary: 'Change a rating',
    errors: ['not_found', 'flow_not_found', 'invalid_api_key'],
    body: { examples: { comment: { rating: 'THUMBS_DOWN', content: 'The wrong address' } } },
    answers: { 200: { description: 'The feedback.', content: json(feedback) } },
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
    answers: { 200: { description: 'The lead.', content: json(lead) } },
  },
  'GET /api/v1/leads/{flowId}': {
    summary: 'List the leads of a flow',
    description: 'Newest first.',
    errors: ['not_found'],
    query: { limit: 'At most 200; 50 unless said otherwise.' },
    answers: { 200: { description: 'The leads.', content: json(pageSchema(lead)) } },
  },
  'POST /api/v1/attachments/{flowId}/{chatId}': {
    summary: 'Attach files to a chat',
    description:
      'Texts of at most 5 MB each, whose content comes back; and, where the flow takes pictures, photographs that wait up to 24 hours for their message: it names each in `uploads` as `{ type: "stored-file", name }`. A `capture` node records such a photograph once, however often its message is sent. All files of a call are kept, or none.',
    errors: ['invalid_request', 'body_too_large', 'unsupported_media_type'],
    body: { multipart: { type: 'object', properties: files('files', '1 to 20 files.') }, examples: {} },
    answers: {
      200: {
        description: 'What was kept, with the names under which it is read.',
        content: json(attachments),
      },
    },
  },
  'GET /api/v1/get-upload-file': {
    summary: 'Read a file of a chat',
    description:
      '`fileName` is the name that the service issued; for the key of the flow, the admin key, and in a chat whose id is a random UUID (version 4), also the name that the user gave the file.',
    errors: ['not_found', 'flow_not_found', 'invalid_api_key'],
    answers: { 200: { description: 'The bytes.', content: { 'application/octet-stream': BYTES } } },
  },
};
