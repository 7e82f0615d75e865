import { InvalidRequest } from '../../common/service-error.js';
import type { Warnings } from '../../common/warnings.js';
import { checkPrediction, type PredictionBody } from '../call/prediction-body.js';
import type { SentQuestion } from './conversation.js';

/** Members of a prediction that callers may send beside those of OpenAI, as they are. */
export interface OwnMembers {
  chatId: string | undefined;
  streaming: boolean;
  overrideConfig?: unknown;
  humanInput?: unknown;
}

/** The body of a prediction; its faults are told at the places of the body that was sent. */
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

/** Settings of the caller that a flow cannot follow, and that change what the caller may expect of the answer. */
export function warnOfSettings(settings: Readonly<Record<string, boolean>>, warnings: Warnings): void {
  for (const [path, isSet] of Object.entries(settings))
    if (isSet)
      warnings.add({
        code: 'setting_ignored',
        message: `"${path}" was ignored: what a flow calls and answers is its own matter.`,
        path,
      });
}

/** Whether the caller insists on a call of a tool of its own: no flow makes one. */
export function insistsOnTool(choice: unknown): boolean {
  return choice === 'required' || (typeof choice === 'object' && choice !== null);
}

export const NO_TOOLS =
  'cannot be met: a flow calls its own tools and answers with a text. Leave it out, or send "auto" or "none"';
