import { MaskedTokens } from '../../common/masking/masked-tokens.js';
import { SecretMask } from '../../common/masking/secret-mask.js';
import type { ModelEvent } from './language-model.js';
import type { OpenableModel } from './model-providers.js';

/** Shorter keys are placeholders, such as `ollama`, for servers that need none. */
const SHORTEST_KEY = 8;

/** Returns the model with its key masked in its answers, also if the key arrives in pieces (contract section 8). */
export function maskedModel(model: OpenableModel, key = ''): OpenableModel {
  if (key.length < SHORTEST_KEY) return model;
  const mask = new SecretMask().add([key]);
  return {
    open: () => model.open(),
    ask: async (request, signal, emit) => {
      const texts = new MaskedTokens(mask, (type, text) => emit({ type, text } as ModelEvent));
      await model.ask(request, signal, (event) => {
        if ('text' in event) return texts.push(event.type, event.text);
        texts.flush();
        emit(event.type === 'tool-call' ? { ...event, call: mask.value(event.call) } : event);
      });
      texts.flush();
    },
  };
}
