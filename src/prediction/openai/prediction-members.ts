import { InvalidRequest } from '../../common/service-error.js';
import type { Warnings } from '../../common/warnings.js';
import { checkPrediction, type PredictionBody } from '../call/prediction-body.js';
import type { SentQuestion } from './conversation.js';

/** Members of a prediction that callers may add to OpenAI's. */
export interface OwnMembers {
  chatId: string | undefined;
  streaming: boolean;
  overrideConfig?: unknown;
  humanInput?: unknown;
}

/** Returns the body of a prediction; faults get the paths of the body that was sent. */
export function predictionOf({ places, ...asked }: SentQuestion, own: OwnMembers): PredictionBody {
  try {
    return checkPrediction({ ...asked, ...own });
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const faults = error.errors ?? [];
    throw new InvalidRequest(
      faults.map(({ path, message }) => ({ path: places.get(path) ?? path, message })),
      error.message,
    );
  }
}

/** Adds a warning for each setting that a flow cannot follow. */
export function warnOfSettings(settings: Readonly<Record<string, boolean>>, warnings: Warnings): void {
  for (const [path, isSet] of Object.entries(settings))
    if (isSet)
      warnings.add({
        code: 'setting_ignored',
        message: `"${path}" was ignored: the flow decides what it calls and answers.`,
        path,
      });
}

/** Returns true if the caller requires a call of its own tool, which no flow makes. */
export function insistsOnTool(choice: unknown): boolean {
  return choice === 'required' || (typeof choice === 'object' && choice !== null);
}

export const NO_TOOLS =
  'cannot be met: a flow calls its own tools and answers with a text. Leave it out, or send "auto" or "none"';
