import {
  acceptedRender,
  asset,
  detailsOfReport,
  pack,
  pastReport,
  redrawnReport,
  renderAnswer,
  renderStatus,
  renderedReport,
} from '../../../api/reports.js';
import {
  anyObject,
  BYTES,
  eventsOf,
  idempotency,
  json,
  type AnswerNote,
  type RouteNote,
  type RouteNotes,
} from '../../../api/route-note.js';
import { pageSchema } from '../../../api/shapes.js';
import { editionRequestSchema } from '../../../pdf/render/edition-request.js';
import { renderRequestSchema } from '../../../pdf/render/render-request.js';
import { TEMPLATES } from '../../../pdf/templates.js';

const FINGERPRINT = { type: 'string', pattern: '^[0-9a-f]{64}$' };

const SEAL = {
  type: 'object',
  required: ['algorithm', 'publicKey', 'fingerprint'],
  properties: {
    algorithm: { const: 'Ed25519' },
    publicKey: { type: 'string' },
    fingerprint: FINGERPRINT,
    signature: {
      type: 'object',
      description: 'Whose PAdES signature reports bear besides, where `SIGNING_P12` is set.',
      required: ['name', 'fingerprint'],
      properties: { name: { type: 'string' }, fingerprint: FINGERPRINT },
    },
  },
};

/** Routes of files with a signed address: their query, and the answers to whole and to ranged requests. */
const signedFile = (type: 'application/pdf' | 'application/zip'): Omit<RouteNote, 'summary'> => {
  const content = { [type]: BYTES };
  return {
    query: {
      expires: 'When the address stops working, unix seconds; goes with `signature`.',
      signature: 'The proof that the service made this address.',
      inline: '`true`: to be shown by a browser; else to be saved.',
    },
    access: 'signed-or-flow',
    headers: ['Range', 'If-Range', 'If-None-Match'],
    errors: ['stored_file_damaged', 'not_found', 'range_not_satisfiable'],
    answers: {
      200: { description: 'The file.', headers: ['ETag', 'Accept-Ranges'], content },
      206: {
        description: 'The part that `Range` asks for.',
        headers: ['ETag', 'Accept-Ranges', 'Content-Range'],
        content,
      },
      304: { description: 'The caller has it already.', headers: ['ETag'] },
    },
  };
};

/** A render that goes on after its answer. */
const ACCEPTED: AnswerNote = {
  description: 'Accepted: `Location` says where to ask.',
  headers: ['Location', 'Preference-Applied'],
  content: json(acceptedRender),
};

/** Rendering reports, and what comes of it; the logos that they show. */
export const pdfNotes: RouteNotes = {
  'POST /api/v1/pdf/render': {
    summary: 'Render the inspection report, or compare two',
    description: `${TEMPLATES.map(({ about }) => about).join(' ')} With \`Accept: application/pdf\` the answer is the PDF itself. A session with nothing pending gives no file, and so does one that nobody knows: 200 with \`file: null\` and the \`reason\` \`nothing_pending\`. Photographs of a flow whose key is missing, or whose list of domains refuses the page that calls, stay pending; where no other is left, that is the answer. With \`preview: true\` all of this is answered and drawn as if, and nothing is claimed.`,
    headers: [...idempotency.headers, 'Prefer'],
    errors: [
      ...idempotency.errors,
      'invalid_api_key',
      'domain_not_allowed',
      'address_blocked',
      'rate_limited',
      'incomplete_inspection',
      'not_found',
      'email_not_configured',
      'email_not_allowed',
      'aborted',
      'shutting_down',
    ],
    body: {
      json: renderRequestSchema,
      examples: Object.fromEntries(
        TEMPLATES.flatMap(({ id, example }) =>
          example ? [[example.name, { templateId: id, source: example.source }]] : [],
        ),
      ),
    },
    answers: {
      200: {
        description: 'The report, or why there is none.',
        content: { ...json(renderAnswer), 'application/pdf': BYTES },
      },
      202: ACCEPTED,
      204: { description: 'Nothing pending, to a caller that takes a PDF only.' },
    },
  },
  'GET /api/v1/pdf/renders/{id}': {
    summary: 'Read the progress of an asynchronous render',
    description:
      'Ask about once a second until `status` is no longer `running`: then `result` is what the render would have answered, or `error` says why there is none; photographs of a render that failed are pending again. The address is as unguessable as the id and needs no key; pages that the list of a flow refuses do not get it. With `Accept: text/event-stream` nothing needs to be asked again: `progress` whenever it changes, then `result` or `error` (a sentence), then `end`.',
    errors: ['not_found', 'domain_not_allowed'],
    answers: {
      200: {
        description: 'Status with progress; as a stream when asked.',
        content: { ...json(renderStatus), ...eventsOf('RenderEvent') },
      },
    },
  },
  'GET /api/v1/pdf/delivery': {
    summary: 'Check whether reports can be mailed',
    answers: {
      200: {
        description: 'Whether the service has a mail server.',
        content: json({ type: 'object', required: ['email'], properties: { email: { type: 'boolean' } } }),
      },
    },
  },
  'GET /api/v1/pdf/reports': {
    summary: 'List reports',
    access: 'admin-or-flow',
    query: {
      sessionId: "Those of one session. Only the admin key may leave it out; a flow's key must name one.",
    },
    answers: { 200: { description: 'The newest first.', content: json(pageSchema(pastReport)) } },
  },
  'GET /api/v1/pdf/reports/{id}/file': {
    summary: 'Download a report',
    description:
      'The `url` of an answer holds `expires` and `signature`, so that it opens without a key for as long as `REPORT_LINK_HOURS` says. Without them the key of the flow or the admin key is needed.',
    ...signedFile('application/pdf'),
  },
  'GET /api/v1/pdf/reports/{id}/details': {
    summary: 'Read the details that a report prints',
    description:
      'Members of `meta` as they were printed: of the request, filled from the record of the inspection, and of an edition with what it said anew. A member that printed nothing is not there; a comparison has none.',
    access: 'admin-or-flow',
    errors: ['not_found'],
    answers: { 200: { description: 'The details.', content: json(detailsOfReport) } },
  },
  'POST /api/v1/pdf/reports/{id}/editions': {
    summary: 'Make a further edition of a report',
    description:
      'Draws what the report claimed once more, with what is corrected: photographs, remarks and facts by their ids, members of `meta` by their names. The cover says which report it replaces; both are kept, and nothing is claimed again. Made of the newest edition only; of editions asked for at the same time one is made. With `Accept: application/pdf` the answer is the PDF itself.',
    access: 'admin-or-flow',
    headers: [...idempotency.headers, 'Prefer'],
    errors: [
      ...idempotency.errors,
      'domain_not_allowed',
      'address_blocked',
      'rate_limited',
      'not_found',
      'already_replaced',
      'session_full',
      'email_not_configured',
      'email_not_allowed',
      'aborted',
      'shutting_down',
    ],
    body: {
      json: editionRequestSchema,
      examples: {
        correction: {
          reason: 'The second photograph is of the kitchen.',
          corrections: [{ photographId: '0198b5f0-0000-7000-8000-000000000000', area: 'Kitchen' }],
          meta: { tenant: 'A. Tenant' },
        },
      },
    },
    answers: {
      200: {
        description: 'The new edition.',
        content: { ...json(renderedReport), 'application/pdf': BYTES },
      },
      202: ACCEPTED,
    },
  },
  'GET /api/v1/pdf/previews/{id}/file': {
    summary: 'Download a preview',
    description:
      'The `url` of a preview holds `expires` and `signature`, so that it opens without a key. After an hour there is no such preview any more.',
    ...signedFile('application/pdf'),
  },
  'POST /api/v1/pdf/reports/{id}/pack': {
    summary: 'Make a pack of a report, its originals and its evidence list',
    description:
      'The report, the list of evidence and each photograph as it was received, for schemes and mailboxes that take files of a limited size. `index.txt` in the first part says what is where, and names recorded photographs whose file is lost or damaged. A single file larger than `partMaxBytes` is a part of its own. The parts are kept as long as their addresses work (`REPORT_LINK_HOURS`); the same pack asked for again is the same parts.',
    access: 'admin-or-flow',
    errors: [
      'stored_file_damaged',
      'invalid_request',
      'not_found',
      'rate_limited',
      'address_blocked',
      'overloaded',
    ],
    answers: { 200: { description: 'The parts, in order.', content: json(pack) } },
  },
  'GET /api/v1/pdf/packs/{id}/file': {
    summary: 'Download a part of a pack',
    description:
      'The `url` of a part holds `expires` and `signature`, so that it opens without a key for as long as `REPORT_LINK_HOURS` says.',
    ...signedFile('application/zip'),
  },
  'GET /api/v1/pdf/reports/{id}/manifest': {
    summary: 'Download the evidence list of a report',
    access: 'admin-or-flow',
    errors: ['not_found'],
    answers: { 200: { description: 'The list, with its seal.', content: json(anyObject) } },
  },
  'POST /api/v1/pdf/reports/{id}/redraw': {
    summary: 'Draw a report again',
    description:
      'The same bytes, which also mends a file that was lost. A signature behind the seal is the one that was kept, not a new one.',
    errors: ['not_found'],
    answers: { 200: { description: 'The report.', content: json(redrawnReport) } },
  },
  'GET /api/v1/pdf/seal': {
    summary: 'Read the public key of the seals',
    answers: {
      200: {
        description:
          'The key that checks every seal of this service (raw, base64url), and its fingerprint: SHA-256 of its SPKI, which readers of reports compare.',
        content: json(SEAL),
      },
    },
  },
  'POST /api/v1/assets': {
    summary: 'Upload a logo',
    description: 'Answers the id that `meta.logo` names; the same picture again has the same id.',
    errors: ['invalid_request', 'body_too_large', 'unsupported_media_type'],
    body: {
      json: {
        type: 'object',
        required: ['data'],
        properties: {
          data: { type: 'string', description: 'The picture in base64, as a data URI or alone.' },
        },
      },
      multipart: { type: 'object', properties: { file: BYTES } },
      examples: {
        logo: {
          data: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAMAAADz0U65AAAAA1BMVEUiVYi4HA1XAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWNgoA4AAABIAAF7pRHIAAAAAElFTkSuQmCC',
        },
      },
    },
    answers: { 200: { description: 'The asset.', content: json(asset) } },
  },
};
