import { SecretMask } from '../../common/masking/secret-mask.js';
import type { ModelRequest, ModelSettings } from './language-model.js';
import { faultOfStatus, ModelError, type ModelErrorDetails, type ModelFault } from './model-error.js';

const MOST_READ = 16_384;
const MOST_MESSAGE = 1_000;

/** Returns the provider's message for the flow's owner: without the key, and bounded. */
function providerMessage(text: string, { apiKey }: ModelSettings): string {
  // Masked before it is cut, so that no part of the key is left.
  return new SecretMask()
    .add([apiKey ?? ''])
    .text(text.slice(0, MOST_READ))
    .slice(0, MOST_MESSAGE);
}

/** Returns the error of a request that the provider refused with this status and message. */
export function refusedBy(
  settings: ModelSettings,
  request: ModelRequest,
  status: number,
  message: string,
  details: Omit<ModelErrorDetails, 'status'> = {},
): ModelError {
  const sentence = `The model answered ${status}: ${providerMessage(message, settings)}`;
  const refused = status === 401 || status >= 500 ? undefined : unsupportedIn(request, message);
  if (refused !== undefined)
    return new ModelError(
      'unsupported',
      `The model "${settings.name}" does not accept ${refused}. ${sentence}`,
      {
        ...details,
        status,
      },
    );
  return new ModelError(faultOfStatus(status), sentence, { ...details, status });
}

/** Returns the error of a call without a usable answer. */
export const failedBy = (
  settings: ModelSettings,
  fault: ModelFault,
  message: string,
  details: ModelErrorDetails = {},
): ModelError => new ModelError(fault, `The model failed: ${providerMessage(message, settings)}`, details);

/** Returns the unsupported part of a request (pictures, recordings or tools) that a provider's message mentions. */
function unsupportedIn({ messages, tools = [] }: ModelRequest, message: string): string | undefined {
  const sent = new Set(
    messages.flatMap((message) =>
      message.role === 'user' ? (message.attachments ?? []).map(({ type }) => type) : [],
    ),
  );
  if (sent.has('audio') && /audio/i.test(message)) return 'recordings (audio)';
  if (sent.has('image') && /image|vision|visual|multi-?modal/i.test(message)) return 'pictures';
  const partly =
    sent.size > 0 && /content.{0,40}must be a string|unknown (?:variant|content type)/i.test(message);
  if (partly) return sent.has('image') ? 'pictures' : 'recordings (audio)';
  const takesNoTools =
    tools.length > 0 &&
    /(?:not|n't) support.{0,40}(?:tool|function)|(?:tool|function)s?.{0,40}not (?:be )?support/i;
  return takesNoTools && takesNoTools.test(message) ? 'tools' : undefined;
}
