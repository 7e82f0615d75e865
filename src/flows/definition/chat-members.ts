import { z } from 'zod';
import { chatBrand } from './chat-brand.js';

const status = z.boolean().optional().meta({ title: 'On', description: 'Whether chat clients offer it.' });

const lists = (files: string) =>
  z
    .array(z.looseObject({ fileTypes: z.array(z.string()), maxUploadSize: z.number().min(0) }))
    .optional()
    .describe(`Accepted ${files}: MIME types, and the largest size in megabytes.`);

/**
 * The members of a flow's `chat` that chat clients and the hosted page read. Only `brand` is checked; the others are stored
 * unchanged, and one of another form is ignored.
 */
export const chatMembers = z.object({
  starterPrompts: z
    .union([z.array(z.string()), z.record(z.string(), z.looseObject({ prompt: z.string() }))])
    .optional()
    .describe('Messages that a new chat offers.'),
  brand: chatBrand.optional().describe('The look of the hosted chat page and the reports of this flow.'),
  uploads: z
    .looseObject({
      isImageUploadAllowed: z
        .boolean()
        .optional()
        .meta({ title: 'Photographs', description: 'Whether people may send photographs.' }),
      isSpeechToTextEnabled: z
        .boolean()
        .optional()
        .meta({ title: 'Speech', description: 'Whether clients offer to record speech.' }),
      isRAGFileUploadAllowed: z
        .boolean()
        .optional()
        .meta({ title: 'Files', description: 'Whether clients offer to attach files.' }),
      imgUploadSizeAndTypes: lists('pictures').meta({ title: 'Kinds of pictures' }),
      fileUploadSizeAndTypes: lists('files').meta({ title: 'Kinds of files' }),
    })
    .optional()
    .describe('What people may attach to a message.'),
  chatFeedback: z
    .looseObject({ status })
    .optional()
    .meta({ title: 'Feedback', description: 'Whether people may rate answers.' }),
  leads: z
    .looseObject({
      status,
      title: z.string().optional().describe('The words above the form.'),
      name: z.boolean().optional().describe('Whether it asks for a name.'),
      email: z.boolean().optional().describe('Whether it asks for an e-mail address.'),
      phone: z.boolean().optional().describe('Whether it asks for a telephone number.'),
      successMessage: z.string().optional().describe('The words after it was sent.'),
    })
    .optional()
    .describe('A form that asks people who they are.'),
  followUpPrompts: z
    .looseObject({ status })
    .optional()
    .describe('Questions that clients propose after an answer.'),
  fullFileUpload: z
    .looseObject({
      status,
      allowedUploadFileTypes: z.string().optional().describe('MIME types, separated by commas.'),
    })
    .optional()
    .describe('Files whose whole text is read.'),
  isTTSEnabled: z
    .boolean()
    .optional()
    .meta({ title: 'Spoken answers', description: 'Whether clients offer to read answers aloud.' }),
});
