import { SecretMask } from '../../common/masking/secret-mask.js';
import type { ModelRequest, ModelSettings } from './language-model.js';
import { faultOfStatus, ModelError, type ModelErrorDetails, type ModelFault } from './model-error.js';

const MOST_READ = 16_384;
const MOST_MESSAGE = 1_000;

/** The provider's words for the flow's owner: without the key, and bounded. */
export function providerMessage(text: string, { apiKey }: ModelSettings): string {
  // Masked before it is cut: the cut leaves no part of the key.
  return new SecretMask()
    .add([apiKey ?? ''])
    .text(text.slice(0, MOST_READ))
    .slice(0, MOST_MESSAGE);
}

/** The provider refused the request with this status, saying this. */
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
      `The model "${settings.name}" does not take ${refused}. ${sentence}`,
      {
        ...details,
        status,
      },
    );
  return new ModelError(faultOfStatus(status), sentence, { ...details, status });
}

/** No answer came, or none that is one. */
export const failedBy = (
  settings: ModelSettings,
  fault: ModelFault,
  message: string,
  details: ModelErrorDetails = {},
): ModelError => new ModelError(fault, `The model failed: ${providerMessage(message, settings)}`, details);

/** By what a provider that was sent a picture, a recording or tools says when its model takes none. */
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
