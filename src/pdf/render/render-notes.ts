import { acceptedRender, renderAnswer, renderedReport } from '../../api/reports.js';
import { type AnswerNote, BYTES, idempotency, json, type RouteNote } from '../../api/route-note.js';
import { TEMPLATES } from '../templates.js';
import { editionRequestSchema } from './edition-request.js';
import { renderRequestSchema } from './render-request.js';

/** The answer to a caller that does not wait for the render. */
const ACCEPTED: AnswerNote = {
  description: 'Accepted: `Location` says where to ask.',
  headers: ['Location', 'Preference-Applied'],
  content: json(acceptedRender),
};

const RENDER_ERRORS = [
  ...idempotency.errors,
  ...(['domain_not_allowed', 'address_blocked', 'rate_limited', 'not_found'] as const),
  ...(['email_not_configured', 'email_not_allowed', 'aborted', 'shutting_down'] as const),
] as const;

export const renderNote: RouteNote = {
  summary: 'Render the inspection report, or compare two',
  description: `${TEMPLATES.map(({ about }) => about).join(' ')} With \`Accept: application/pdf\` the answer is the PDF itself. A session with nothing pending, also an unknown one, gives no file: 200 with \`file: null\` and the \`reason\` \`nothing_pending\`. Photographs of a flow whose key is missing, or whose list of domains refuses the page that calls, stay pending; if no other is left, the answer is 401 or 403. With \`preview: true\` everything is answered and drawn as in a render, and nothing is claimed.`,
  headers: [...idempotency.headers, 'Prefer'],
  errors: [...RENDER_ERRORS, 'invalid_api_key', 'incomplete_inspection'],
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
};

export const editionNote: RouteNote = {
  summary: 'Make a further edition of a report',
  description:
    'Draws what the report claimed once more, with what is corrected: photographs, remarks and facts by their ids, members of `meta` by their names. `addPhotographs` also claims pending photographs of the session: `claimed` counts them, and without any the answer warns `nothing_pending`. The cover says which report it replaces and lists what changed; numbers of photographs stay, and both reports stay stored. Only the newest edition can be replaced; of concurrent requests one makes an edition. With `Accept: application/pdf` the answer is the PDF itself.',
  access: 'admin-or-flow',
  headers: [...idempotency.headers, 'Prefer'],
  errors: [...RENDER_ERRORS, 'already_replaced', 'already_claimed', 'session_full'],
  body: {
    json: editionRequestSchema,
    examples: {
      correction: {
        reason: 'The second photograph is of the kitchen.',
        corrections: [{ photographId: '0198b5f0-0000-7000-8000-000000000000', area: 'Kitchen' }],
        meta: { tenant: 'A. Tenant' },
      },
      addition: { reason: 'The garden was forgotten.', addPhotographs: true },
    },
  },
  answers: {
    200: {
      description: 'The new edition.',
      content: { ...json(renderedReport), 'application/pdf': BYTES },
    },
    202: ACCEPTED,
  },
};
