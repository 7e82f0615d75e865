import { z } from 'zod';
import { MODEL_PROVIDER_IDS } from '../../../api/model-provider-terms.js';
import { addressGiven } from '../../models/model-providers.js';

/** `model` of every kind that asks one (contract section 9). */
export const modelConfig = z
  .object({
    provider: z.enum(MODEL_PROVIDER_IDS).describe('Who serves the model.'),
    name: z.string().min(1).describe('The model, as its provider calls it.'),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Where the provider is reached, if not at its own address. No template.'),
    credentialId: z.string().min(1).optional().describe('Id of the kept credential with the provider’s key.'),
    temperature: z.number().min(0).max(2).optional(),
    maxTokens: z.int().min(1).optional().describe('The longest answer.'),
  })
  .refine(...addressGiven);
