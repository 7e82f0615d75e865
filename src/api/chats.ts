import { z } from 'zod';
import { timestamp } from './shapes.js';

export const RATINGS = ['THUMBS_UP', 'THUMBS_DOWN'] as const;

export const chatMessage = z
  .strictObject({
    id: z.string().describe('`chatMessageId` of an answer.'),
    role: z.enum(['user', 'assistant']),
    content: z.string(),
    createdAt: timestamp,
    executionId: z.string().nullable().describe('Null for an imported message without one.'),
    uploads: z
      .array(z.strictObject({ type: z.string(), name: z.string(), mime: z.string() }))
      .exactOptional(),
  })
  .meta({ id: 'ChatMessage' });
export type ChatMessageView = z.infer<typeof chatMessage>;

export const feedback = z
  .strictObject({
    id: z.string(),
    chatflowid: z.string(),
    chatId: z.string(),
    messageId: z.string(),
    rating: z.enum(RATINGS).nullable(),
    content: z.string().nullable(),
    createdDate: timestamp,
  })
  .meta({ id: 'Feedback' });
export type FeedbackView = z.infer<typeof feedback>;

/** Feedback with the beginning of the question and the answer; null if they are unknown. */
export const listedFeedback = feedback
  .extend({ question: z.string().nullable(), answer: z.string().nullable() })
  .meta({ id: 'ListedFeedback' });
export type ListedFeedbackView = z.infer<typeof listedFeedback>;

/** Contact details that a user left in a chat. */
export const lead = z
  .strictObject({
    id: z.string(),
    chatflowid: z.string(),
    chatId: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    createdDate: timestamp,
  })
  .meta({ id: 'Lead' });
export type LeadView = z.infer<typeof lead>;

export const attachments = z
  .array(
    z.strictObject({
      name: z.string().describe('A random name from the service, which alone gives access to the file.'),
      mimeType: z.string(),
      size: z.int(),
      content: z.string().describe('The text to send back as a `file:full` upload; empty for a photograph.'),
    }),
  )
  .meta({ id: 'Attachments' });
export type AttachmentView = z.infer<typeof attachments>[number];

export const streamability = z.strictObject({ isStreaming: z.boolean() }).meta({ id: 'Streamability' });

/** Members of the flow's `chat`, in the form that chat clients read. */
const shown = z.looseObject({});

export const chatConfig = z
  .strictObject({
    uploads: shown,
    flowData: z.string().describe('JSON text: whether a form is to be shown, and which.'),
    starterPrompts: shown.exactOptional(),
    chatFeedback: shown.exactOptional(),
    leads: shown.exactOptional(),
    followUpPrompts: shown.exactOptional(),
    fullFileUpload: shown.exactOptional(),
    isTTSEnabled: z.boolean().exactOptional(),
  })
  .meta({ id: 'ChatbotConfig' });
