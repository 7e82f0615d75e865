import { CLEANLINESS, CONDITIONS, FACT_MEMBERS_OF } from '../../api/inspection-terms.js';
import { captureAnswer } from '../../api/inspections.js';
import { answered, fields, files, idempotency, type RouteNote } from '../../api/route-note.js';
import { FACT_MEMBERS } from '../facts/fact.js';
import { metaChangeSchema } from '../report/meta-schema.js';
import { captureSchema } from './capture-body.js';

/** A grey JPEG of 8 by 8 pixels: small enough to read, real enough to be recorded. */
const TINY_JPEG =
  'data:image/jpeg;base64,/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/ALAB/9k=';

const membersOf = (kind: keyof typeof FACT_MEMBERS_OF): string => FACT_MEMBERS_OF[kind].join(', ');

/** The members that state facts; in a form each is JSON. */
const FACT_NOTES = {
  observations: `\`[{ ${membersOf('observation')}, photographs }]\`: \`condition\` is ${CONDITIONS.join(', ')}; \`cleanliness\` is ${CLEANLINESS.join(', ')}; \`photographs\` are indices of this call or ids. A wrong member is dropped with a warning.`,
  reading: `\`{ ${membersOf('reading')} }\` of the meter that the area is. It takes its area off \`outstandingAreas\`.`,
  keys: `\`[{ ${membersOf('keys')} }]\`, under the area Keys.`,
  alarm: `\`{ ${membersOf('alarm')} }\`, under the area Detectors.`,
};

export const captureNote: RouteNote = {
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
          ...['skippedAreas', 'details', ...FACT_MEMBERS],
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
      details: { ...metaChangeSchema, description: 'Members of the inspection’s record to be replaced.' },
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
  answers: answered('What was recorded.', captureAnswer),
};
