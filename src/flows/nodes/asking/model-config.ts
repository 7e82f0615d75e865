import { z } from 'zod';
import { MODEL_PROVIDER_IDS } from '../../../api/model-provider-terms.js';
import { addressGiven } from '../../models/model-providers.js';

/** The config member `model` (contract section 9). */
export const modelConfig = z
  .object({
    provider: z.enum(MODEL_PROVIDER_IDS).describe('The provider of the model.'),
    name: z.string().min(1).describe('The provider’s name of the model.'),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('The address of the provider, if not its own. Not a template.'),
    credentialId: z
      .string()
      .min(1)
      .optional()
      .describe('Id of the stored credential with the provider’s key.'),
    temperature: z.number().min(0).max(2).optional(),
    maxTokens: z.int().min(1).optional().describe('The limit of an answer in tokens.'),
  })
  .refine(...addressGiven);
