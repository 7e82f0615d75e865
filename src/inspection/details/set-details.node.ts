import { z } from 'zod';
import { identifier } from '../../common/texts/identifier.js';
import type { EffectJournal } from '../../executions/calls/effect-journal.js';
import type { Json } from '../../flows/engine/json.js';
import type { NodeKind } from '../../flows/engine/node-kind.js';
import type { SessionAccess } from '../access/session-access.js';
import { sessionIn, sessionSetting } from '../flow-settings.js';
import { requireFits } from './details-rows.js';
import { readDetailsSetting, detailsSetting } from './details-setting.js';
import type { InspectionDetails } from './inspection-details.js';
import { withReadableReport } from './readable-report.js';

const config = z
  .object({
    details: detailsSetting,
    sessionId: sessionSetting,
  })
  .describe('Sets details of the property in the record of the chat’s inspection.');

type SetDetailsSettings = z.infer<typeof config>;

/** Changes the details once for the run and returns the record. */
export type SetDetailsInRun = NodeKind<SetDetailsSettings>['run'];

/** Returns the changes of details by flows' runs: journaled effects under the run's fence. */
export const setDetailsInRun =
  (inspectionDetails: InspectionDetails, journal: EffectJournal, access: SessionAccess): SetDetailsInRun =>
  async ({ config: settings, run, effects, value, warn }) => {
    const place = { flowId: run.flowId, sessionId: sessionOf(settings, run.chatId) };
    const sent = await readDetailsSetting(settings.details, value);
    const change = sent && (await withReadableReport(sent, (id) => access.mayReadReportInRun(run, id)));
    if (!change) return { output: (await inspectionDetails.read(place)) as unknown as Json, traceInput: {} };
    requireFits(change);
    const answer = await effects.inside('set-details', (effect) =>
      inspectionDetails.change(
        { ...place, executionId: run.executionId },
        change,
        journal.hooks(effect, 'set-details'),
      ),
    );
    warn(...(answer.warnings ?? []));
    return { output: answer as unknown as Json, traceInput: { details: change.members as Json } };
  };

/**
 * The node kind `set-details` (contract sections 5 and 9): replaces members of the record of the chat's inspection, as a
 * journaled effect of the run. Its output is the changed record. Invalid members give warnings and never fail the run.
 */
export const setDetailsNode = (run: SetDetailsInRun): NodeKind<SetDetailsSettings> => ({
  kind: 'set-details',
  label: 'Set details',
  icon: 'form',
  config,
  streams: false,
  leafText: 'previous',
  persists: () => ({ state: false }),
  // Filled by the node: the engine preserves the type of a member only if its whole text is one reference.
  rawTexts: ['details'],
  filledLater: ['details'],
  run,
});

function sessionOf({ sessionId }: SetDetailsSettings, chatId: string): string {
  const session = identifier.safeParse(sessionIn(sessionId, chatId));
  if (session.success) return session.data;
  throw new Error('The sessionId of the details must have 1 to 256 plain characters.');
}
