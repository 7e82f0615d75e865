import { renderRequestSchema } from '../../pdf/render-request.js';
import { reportMetaSchema } from './report-meta-schema.js';
import { anyObject, BYTES, eventsOf, idempotency, json, listOf, ref, type RouteNotes } from './route-note.js';

const SEAL = {
  type: 'object',
  required: ['algorithm', 'publicKey', 'fingerprint'],
  properties: {
    algorithm: { const: 'Ed25519' },
    publicKey: { type: 'string' },
    fingerprint: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
};

/** Rendering reports, and what comes of it; the logos that they show. */
export const pdfNotes: RouteNotes = {
  'POST /api/v1/pdf/render': {
    summary: 'Render the inspection report, or compare two',
    description:
      'Claims the pending photographs of the session once and draws the report. With `Accept: application/pdf` the answer is the PDF itself. A session with nothing pending gives no file, and so does one that nobody knows: 200 with `file: null` and the `reason` `nothing_pending`. The template `comparison`, with `source: { type: "comparison", before, after }` and the ids of two reports, puts them side by side and claims nothing. Photographs of a flow whose key is missing, or whose list of domains refuses the page that calls, stay pending; where no other is left, that is the answer.',
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
      members: {
        templateId: '`inspection` or `comparison`.',
        'source.sessionId': 'Whose photographs are claimed.',
        'source.meta': reportMetaSchema,
        'source.requireComplete':
          'Renders nothing while areas are outstanding: 409 `incomplete_inspection`, and nothing is claimed.',
        'source.forceFinish':
          'Renders whatever is missing: no area counts as outstanding, not even with `requireComplete`.',
        'delivery.email':
          'Also mails the report, as a link where it is too large to attach. Links in mails begin with `PUBLIC_URL`: where a link is needed and there is none, `delivery.email` of the answer is `failed` with the code `public_url_not_configured`, and the report stays.',
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
      202: {
        description: 'Accepted: `Location` says where to ask.',
        headers: ['Location', 'Preference-Applied'],
        content: json(ref('AcceptedRender')),
      },
      204: { description: 'Nothing pending, to a caller that takes a PDF only.' },
    },
  },
  'GET /api/v1/pdf/renders/{id}': {
    summary: 'How an asynchronous render goes',
    description:
      'Ask about once a second until `status` is no longer `running`: then `result` is what the render would have answered, or `error` says why there is none; photographs of a render that failed are pending again. The address is as unguessable as the id and needs no key; pages that the list of a flow refuses do not get it. With `Accept: text/event-stream` nothing needs to be asked again: `progress` whenever it changes, then `result` or `error` (a sentence), then `end`.',
    errors: ['not_found', 'domain_not_allowed'],
    answers: {
      200: {
        description: 'Status with progress; as a stream when asked.',
        content: { ...json(ref('RenderStatus')), ...eventsOf('RenderEvent') },
      },
    },
  },
  'GET /api/v1/pdf/delivery': {
    summary: 'Whether reports can be mailed',
    answers: {
      200: {
        description: 'Whether the service has a mail server.',
        content: json({ type: 'object', required: ['email'], properties: { email: { type: 'boolean' } } }),
      },
    },
  },
  'GET /api/v1/pdf/reports': {
    summary: 'Past reports',
    access: 'admin-or-flow',
    query: {
      sessionId: "Those of one session. Only the admin key may leave it out; a flow's key must name one.",
    },
    answers: { 200: { description: 'The newest first.', content: json(listOf(ref('PastReport'))) } },
  },
  'GET /api/v1/pdf/reports/{id}/file': {
    summary: 'A report as PDF',
    description:
      'The `url` of an answer holds `expires` and `signature`, so that it opens without a key for as long as `REPORT_LINK_HOURS` says. Without them the key of the flow or the admin key is needed.',
    query: {
      expires: 'When the address stops working, unix seconds; goes with `signature`.',
      signature: 'The proof that the service made this address.',
      inline: '`true`: to be shown by a browser; else to be saved.',
    },
    access: 'signed-or-flow',
    headers: ['Range', 'If-Range', 'If-None-Match'],
    errors: ['not_found', 'range_not_satisfiable'],
    answers: {
      200: {
        description: 'The file.',
        headers: ['ETag', 'Accept-Ranges'],
        content: { 'application/pdf': BYTES },
      },
      206: {
        description: 'The part that `Range` asks for.',
        headers: ['ETag', 'Accept-Ranges', 'Content-Range'],
        content: { 'application/pdf': BYTES },
      },
      304: { description: 'The caller has it already.', headers: ['ETag'] },
    },
  },
  'GET /api/v1/pdf/reports/{id}/manifest': {
    summary: 'The sealed list of evidence of a report',
    access: 'admin-or-flow',
    errors: ['not_found'],
    answers: { 200: { description: 'The list, with its seal.', content: json(anyObject) } },
  },
  'POST /api/v1/pdf/reports/{id}/redraw': {
    summary: 'Draw a report again',
    description: 'The same bytes, which also mends a file that was lost.',
    errors: ['not_found'],
    answers: { 200: { description: 'The report.', content: json(ref('RedrawnReport')) } },
  },
  'GET /api/v1/pdf/seal': {
    summary: 'The public key of the seals',
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
        properties: { data: { type: 'string', description: 'A data URI.' } },
      },
      multipart: { type: 'object', properties: { file: BYTES } },
      examples: {
        logo: {
          data: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAMAAADz0U65AAAAA1BMVEUiVYi4HA1XAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWNgoA4AAABIAAF7pRHIAAAAAElFTkSuQmCC',
        },
      },
    },
    answers: { 200: { description: 'The asset.', content: json(ref('Asset')) } },
  },
};
