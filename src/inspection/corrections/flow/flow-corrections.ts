import type { CorrectedFact, CorrectedPhotograph, CorrectedRemark } from '../../../api/corrections.js';
import type { ThingView, UndoneThings } from '../../../api/things.js';
import { InvalidRequest, ServiceError } from '../../../common/service-error.js';
import type { DatabaseReader } from '../../../database/database-reader.js';
import type { WriteHooks } from '../../../database/writes/write-hooks.js';
import type { EffectJournal } from '../../../executions/calls/effect-journal.js';
import type { NodeEffects } from '../../../flows/engine/node-effects.js';
import type { NodeContext } from '../../../flows/engine/node-kind.js';
import { sessionIn } from '../../flow-settings.js';
import { latestThings } from '../../things/session-things.js';
import type { CorrectionOrder, CorrectionService, MadeCorrection } from '../correction.service.js';
import { planRename } from '../plan-rename.js';
import { planChange } from '../plan.js';
import { NothingToCorrect } from '../refusals.js';
import { readCorrectionSettings, type CorrectionRequest, type CorrectSettings } from './correct-settings.js';
import { targetsOf } from './targets.js';

/**
 * The outcome of a correction in a flow: the newest corrected record in the form of `GET …/photographs/:id`, the number of
 * corrected records, and the first hundred of them. If nothing could be corrected, `corrected` is 0, with a code and a
 * message.
 */
export type CorrectionOutcome =
  | (UndoneThings & { corrected: number })
  | { corrected: 0; things: ThingView[] }
  | (Partial<Omit<CorrectedPhotograph | CorrectedRemark | CorrectedFact, 'photographs'>> & MadeCorrection)
  | { corrected: 0; code: string; message: string; undone?: [] };

const MOST_LISTED = 50;

type Surroundings = Pick<NodeContext<unknown>, 'run'>;

/** Makes a correction once for the run. One that is refused is an outcome and does not fail the run. */
export type CorrectInRun = (
  settings: CorrectSettings,
  surroundings: Surroundings,
  effects: NodeEffects,
) => Promise<CorrectionOutcome>;

/** Returns the corrections of flows' runs: journaled effects under the run's fence. */
export const correctInRun =
  (corrections: CorrectionService, reader: DatabaseReader, journal: EffectJournal): CorrectInRun =>
  async (settings, { run }, effects) => {
    const session = { flowId: run.flowId, sessionId: sessionIn(settings.sessionId, run.chatId) };
    const note = { by: 'chat', executionId: run.executionId };
    const who = run.caller === undefined ? {} : { who: run.caller };
    try {
      const request = readCorrectionSettings(settings);
      const reason = request.reason === undefined ? {} : { reason: request.reason };
      if ('list' in request)
        return { corrected: 0, things: await latestThings(reader, session, MOST_LISTED) };
      const order = { session, note: { ...note, ...reason }, ...who };
      return await effects.inside('correct', async (place) => {
        let outcome: CorrectionOutcome | undefined;
        const effect = journal.hooks<CorrectionOutcome>(place, 'correct');
        const hooks: WriteHooks<MadeCorrection | UndoneThings> = {
          ...effect,
          closing: (tx, made) => effect.closing(tx, (outcome = outcomeOf(made))),
        };
        await ('undo' in request
          ? corrections.undo({ ...order, count: request.count }, hooks)
          : corrections.correct({ ...order, plan: planOf(session, request) }, hooks));
        return outcome!;
      });
    } catch (error) {
      return refusalOf(error);
    }
  };

const planOf =
  (
    session: CorrectionOrder['session'],
    request: Exclude<CorrectionRequest, { undo: true } | { list: true }>,
  ): CorrectionOrder['plan'] =>
  (tx, now) => {
    if ('rename' in request) return planRename(tx, session, request.rename);
    return planChange(tx, session, targetsOf(session, request), request.change, now);
  };

function outcomeOf(made: MadeCorrection | UndoneThings): CorrectionOutcome {
  if (!('undone' in made))
    return { ...(made.photographs.at(-1) ?? made.remarks.at(-1) ?? made.facts.at(-1)), ...made };
  if (made.undone.length > 0) return { ...made, corrected: made.undone.length };
  return { corrected: 0, code: 'nothing_to_correct', message: 'There is nothing to take back.', undone: [] };
}

/** Returns the outcome of a refused correction; rethrows interruptions and faults of the service. */
function refusalOf(error: unknown): CorrectionOutcome {
  if (error instanceof NothingToCorrect)
    return { corrected: 0, code: 'nothing_to_correct', message: error.message };
  if (error instanceof InvalidRequest)
    return { corrected: 0, code: error.code, message: `Nothing was corrected: ${error.summary}.` };
  if (error instanceof ServiceError && error.status >= 400 && error.status < 500)
    return { corrected: 0, code: error.code, message: error.message };
  throw error;
}
