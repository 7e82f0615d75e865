import { z } from 'zod';
import { timestamp } from './shapes.js';
import { warning } from './warnings.js';

/** Limits of each picture: pixels of its long side, and JPEG quality. */
const printStep = z.strictObject({ longSide: z.int(), quality: z.int() });

const file = {
  id: z.string(),
  filename: z.string(),
  url: z.string().describe('Opens without a key until it expires.'),
  bytes: z.int(),
  pages: z.int(),
  sha256: z.string(),
  photographs: z.int(),
  reducedTo: printStep
    .exactOptional()
    .describe(
      'Present if pictures were reduced for `maxBytes`: the limit of their long side in pixels, and the JPEG quality. A picture that would not shrink is printed as recorded.',
    ),
};
const reportFile = z.strictObject(file);

const deliveryState = z
  .strictObject({
    email: z.strictObject({
      to: z.array(z.string()),
      status: z.enum(['queued', 'sending', 'sent', 'failed']),
      as: z.enum(['attachment', 'link']),
      attempts: z.int(),
      attached: z
        .strictObject({ bytes: z.int(), sha256: z.string(), reducedTo: printStep })
        .exactOptional()
        .describe(
          'Present if the mail has a mail edition: the same report with smaller pictures, because the report itself is too large to attach.',
        ),
      code: z.literal('public_url_not_configured').exactOptional(),
      error: z.string().exactOptional(),
      sentAt: timestamp.exactOptional(),
    }),
  })
  .meta({ id: 'Delivery' });
/** The delivery of a report in answers. */
export type Delivery = z.infer<typeof deliveryState>;

export const renderedReport = z
  .strictObject({
    file: reportFile,
    edition: z.int().min(2).exactOptional().describe('Present in a further edition.'),
    replaces: z.string().exactOptional().describe('The id of the report that the edition replaces.'),
    preview: z
      .literal(true)
      .exactOptional()
      .describe('`claimed` counts what a render would claim; the file is deleted after an hour.'),
    claimed: z.int(),
    outstandingAreas: z.array(z.string()),
    warnings: z.array(warning),
    delivery: deliveryState.exactOptional(),
    executionId: z.string(),
  })
  .meta({ id: 'RenderedReport' });
/** The answer of a render that made a report. */
export type RenderedReport = z.infer<typeof renderedReport>;

export const renderAnswer = z
  .union([
    renderedReport,
    z.strictObject({
      file: z.null(),
      reason: z.enum(['nothing_pending', 'render_in_progress']),
      previousReports: z.array(
        z.strictObject({
          id: z.string(),
          filename: z.string(),
          date: timestamp,
          url: z.string().exactOptional(),
        }),
      ),
    }),
  ])
  .meta({ id: 'RenderAnswer' });
export type RenderAnswerView = z.infer<typeof renderAnswer>;
/** The answer of a render that found no pending photograph, or one under way. */
export type NothingRendered = Extract<RenderAnswerView, { file: null }>;

export const redrawnReport = z
  .strictObject({
    file: reportFile,
    claimed: z.int(),
    outstandingAreas: z.array(z.string()),
    warnings: z.array(warning),
    delivery: deliveryState.exactOptional(),
    edition: z.int().exactOptional(),
    replaces: z.string().exactOptional(),
    executionId: z.string(),
    identical: z.boolean().describe('The bytes are the same as before. If they differ, nothing is stored.'),
  })
  .meta({ id: 'RedrawnReport' });
export type RedrawnReport = z.infer<typeof redrawnReport>;

export const acceptedRender = z
  .strictObject({ id: z.string(), status: z.literal('running'), executionId: z.string() })
  .meta({ id: 'AcceptedRender' });
export type AcceptedRenderView = z.infer<typeof acceptedRender>;

export const renderProgress = z
  .union([
    z.strictObject({ phase: z.literal('waiting') }),
    z.strictObject({
      phase: z.literal('drawing'),
      page: z.int(),
      pages: z.int(),
      photographs: z.int(),
    }),
  ])
  .meta({ id: 'RenderProgress' });
export type RenderProgressView = z.infer<typeof renderProgress>;

const render = { id: z.string(), executionId: z.string(), startedAt: timestamp };

export const renderStatus = z
  .union([
    z.strictObject({ ...render, status: z.literal('running'), progress: renderProgress }),
    z.strictObject({ ...render, status: z.literal('succeeded'), result: renderedReport }),
    z.strictObject({
      ...render,
      status: z.literal('failed'),
      error: z.strictObject({ code: z.string(), message: z.string() }),
    }),
  ])
  .meta({ id: 'RenderStatus' });
export type RenderStatusView = z.infer<typeof renderStatus>;

export const pastReport = z
  .strictObject({
    ...file,
    maxBytes: z.int().exactOptional().describe('The requested limit of its size.'),
    sessionId: z.string(),
    date: timestamp,
    outstandingAreas: z.array(z.string()),
    warnings: z.array(warning),
    delivery: deliveryState.exactOptional(),
    executionId: z.string(),
    edition: z.int().min(1).describe('1 for the first report.'),
    replaces: z.string().exactOptional().describe('The report that this edition replaces.'),
    reason: z.string().exactOptional().describe('Why there is this edition.'),
    replacedBy: z.string().exactOptional().describe('The report of the next edition.'),
  })
  .meta({ id: 'PastReport' });
export type ReportView = z.infer<typeof pastReport>;

/** The members of `meta`; their table is `inspection/report/meta-schema`. */
export const reportDetails = z.record(z.string(), z.unknown()).meta({ id: 'ReportDetails' });

export const detailsOfReport = z
  .strictObject({ id: z.string(), details: reportDetails })
  .meta({ id: 'DetailsOfReport' });
export type DetailsOfReportView = z.infer<typeof detailsOfReport>;

/** Ways to deliver a report besides its address. */
export const deliveryWays = z
  .strictObject({ email: z.boolean().describe('The service has a mail server.') })
  .meta({ id: 'DeliveryWays' });
export type DeliveryWays = z.infer<typeof deliveryWays>;

const fingerprint = z.string().regex(/^[0-9a-f]{64}$/);

/** The key that checks every seal of this service. */
export const publicSealKey = z
  .strictObject({
    algorithm: z.literal('Ed25519'),
    publicKey: z.string().describe('Raw, base64url.'),
    fingerprint: fingerprint.describe('SHA-256 of its SPKI, which readers of reports compare.'),
    signature: z
      .strictObject({ name: z.string(), fingerprint })
      .exactOptional()
      .describe('The PAdES signature of reports, where `SIGNING_P12` is set.'),
  })
  .meta({ id: 'PublicSealKey' });
export type PublicSealKey = z.infer<typeof publicSealKey>;

/** The list of evidence and its seal; what it lists depends on the template. */
export const sealedManifest = z.looseObject({}).meta({ id: 'SealedManifest' });

export const pack = z
  .strictObject({
    parts: z.array(
      z.strictObject({
        n: z.int(),
        filename: z.string(),
        bytes: z.int(),
        sha256: z.string(),
        url: z.string(),
      }),
    ),
  })
  .meta({ id: 'Pack' });
export type Pack = z.infer<typeof pack>;

/** A stored logo. Sizes are in pixels. */
export const asset = z
  .strictObject({ id: z.string(), width: z.int(), height: z.int(), bytes: z.int() })
  .meta({ id: 'Asset' });
export type Asset = z.infer<typeof asset>;
