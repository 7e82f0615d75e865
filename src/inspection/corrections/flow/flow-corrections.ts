import { Injectable } from '@nestjs/common';
import type { CorrectedFact, CorrectedPhotograph, CorrectedRemark } from '../../../api/corrections.js';
import type { ThingView, UndoneThings } from '../../../api/things.js';
import { InvalidRequest, ServiceError } from '../../../common/service-error.js';
import { DatabaseReader } from '../../../database/database-reader.js';
import type { Tx } from '../../../database/tx.js';
import { runKey } from '../../../database/writes/write-keys.js';
import { EffectJournal } from '../../../executions/calls/effect-journal.js';
import { fence } from '../../../executions/run-fence.js';
import type { NodeEffects } from '../../../flows/engine/node-effects.js';
import type { NodeContext } from '../../../flows/engine/node-kind.js';
import { latestThings } from '../../things/session-things.js';
import { CorrectionService, type MadeCorrection } from '../correction.service.js';
import type { CorrectionOrder } from '../correction.service.js';
import { planRename } from '../plan-rename.js';
import { planChange } from '../plan.js';
import { NothingToCorrect } from '../refusals.js';
import {
  readCorrectionSettings,
  type CorrectionRequest,
  type CorrectSettings,
  faultsIn,
} from './correct-settings.js';
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

type Surroundings = Pick<NodeContext<unknown>, 'run' | 'warn'>;

/** Corrections by a flow's run: journaled effects under its fence, each made once. */
@Injectable()
export class FlowCorrections {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly corrections: CorrectionService,
    private readonly journal: EffectJournal,
  ) {}

  /** Makes a correction. One that is refused is an outcome and does not fail the run. */
  async correct(
    settings: CorrectSettings,
    { run }: Surroundings,
    effects: NodeEffects,
  ): Promise<CorrectionOutcome> {
    const given = settings.sessionId?.trim() ?? '';
    const session = { flowId: run.flowId, sessionId: given === '' ? run.chatId : given };
    const note = { by: 'chat', executionId: run.executionId };
    const who = run.caller === undefined ? {} : { who: run.caller };
    try {
      const request = readCorrectionSettings(settings);
      const reason = request.reason === undefined ? {} : { reason: request.reason };
      if ('list' in request)
        return { corrected: 0, things: await latestThings(this.reader, session, MOST_LISTED) };
      const order = { session, note: { ...note, ...reason }, ...who };
      return await effects.inside('correct', async (place) => {
        let outcome: CorrectionOutcome | undefined;
        const joining = {
          touches: [runKey(place.runId)],
          opening: (tx: Tx) => fence(tx, place),
          closing: (tx: Tx, made: MadeCorrection | UndoneThings) =>
            this.journal.write(tx, place, 'correct', (outcome = outcomeOf(made))),
        };
        await ('undo' in request
          ? this.corrections.undo({ ...order, count: request.count }, joining)
          : this.corrections.correct({ ...order, plan: planOf(session, request) }, joining));
        return outcome!;
      });
    } catch (error) {
      return refusalOf(error);
    }
  }
}

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
    return { corrected: 0, code: error.code, message: `Nothing was corrected: ${faultsIn(error)}.` };
  if (error instanceof ServiceError && error.status >= 400 && error.status < 500)
    return { corrected: 0, code: error.code, message: error.message };
  throw error;
}
