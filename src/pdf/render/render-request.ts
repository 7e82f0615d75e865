import { z } from 'zod';
import { withoutAbsent } from '../../common/bodies/absent-members.js';
import { checked } from '../../common/bodies/valid-body.decorator.js';
import { delivery } from '../delivery/delivery-schema.js';
import type { MailOrder } from '../delivery/mail-outbox.js';
import type { EditionRequest } from '../editions/edition-request.js';
import { maxBytes } from '../fitting/max-bytes.js';
import type { ListedTemplate, SourceDetails } from '../templates/template.js';
import { TEMPLATES } from '../templates/templates.js';

/** The request for a render, from HTTP or from a flow. */
export interface RenderOrder {
  /** As the schema of its template read it. */
  source: SourceDetails;
  email?: MailOrder;
  /** Draws and answers as if, and claims nothing. */
  preview?: true;
  /** The pictures are made smaller, down to a limit, until the file has no more bytes. */
  maxBytes?: number;
  /** Draws the claim of an earlier report again, with what is corrected. */
  edition?: EditionRequest;
}

const preview = z
  .boolean()
  .nullish()
  .describe(
    'Answers and draws as if: each page is marked `Draft`, nothing is claimed, nothing is mailed, no report is kept. The file’s address lives an hour. For the flow’s key, the admin key, and on an open flow whoever knows a `sessionId` that is a version 4 UUID; name the `flowId` where several flows have the session.',
  );

const requestOf = ({ id, schema }: ListedTemplate) =>
  z.object({ templateId: z.literal(id), source: schema, delivery, preview, maxBytes });

const [first, ...others] = TEMPLATES;
const names = TEMPLATES.map(({ id }) => `"${id}"`).join(', ');

/** The body of a render. */
export const renderRequestSchema = z.discriminatedUnion(
  'templateId',
  [requestOf(first), ...others.map(requestOf)],
  { error: ({ code }) => (code === 'invalid_union' ? `must be one of ${names}` : undefined) },
);

/** Checks the body of a render; 400 `invalid_request` with each fault's path. */
export function readRenderRequest(body: unknown): RenderOrder {
  const given = withoutAbsentIn(body);
  const { source, delivery: asked, preview: draft, maxBytes: most } = checked(renderRequestSchema, given);
  return {
    source,
    ...(asked?.email ? { email: asked.email } : {}),
    ...(draft === true ? { preview: true } : {}),
    ...(typeof most === 'number' ? { maxBytes: most } : {}),
  };
}

/** `meta` and `sessionId` stand in `source`. */
function withoutAbsentIn(body: unknown): unknown {
  const given = withoutAbsent(body);
  if (typeof given !== 'object' || given === null || !('source' in given)) return given;
  return { ...given, source: withoutAbsent(given.source) };
}
