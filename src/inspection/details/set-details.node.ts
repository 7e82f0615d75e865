import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { identifier } from '../../common/texts/identifier.js';
import { runKey } from '../../database/writes/write-keys.js';
import { EffectJournal } from '../../executions/calls/effect-journal.js';
import { fence } from '../../executions/run-fence.js';
import { NodeKindRegistry } from '../../flows/definition/node-kind-registry.js';
import type { Json } from '../../flows/engine/json.js';
import type { NodeContext, NodeKind, NodeResult } from '../../flows/engine/node-kind.js';
import { isUnanswered } from '../facts/fact-settings.js';
import { requireRoomFor } from './details-rows.js';
import { readDetailsSetting, detailsSetting } from './details-setting.js';
import { InspectionDetails } from './inspection-details.js';

const config = z
  .object({
    details: detailsSetting,
    sessionId: z.string().nullish().describe('The inspection; absent: that of the chat.'),
  })
  .describe('Says details of the property for the record of the chat’s inspection.');

type SetDetailsSettings = z.infer<typeof config>;

/**
 * The node kind `set-details` (contract sections 5 and 9): replaces members of the record of the chat's inspection, as a
 * journaled effect of the run. Its output is the changed record. Invalid members give warnings and never fail the run.
 */
@Injectable()
export class SetDetailsNode implements NodeKind<SetDetailsSettings>, OnModuleInit {
  readonly kind = 'set-details';
  readonly label = 'Set details';
  readonly icon = 'form';
  readonly config = config;
  readonly streams = false;
  readonly leafText = 'previous';
  readonly persists = () => ({ state: false });
  /** Filled here: the engine preserves the type of a member only if its whole text is one reference. */
  readonly rawTexts = ['details'];
  readonly filledLater = ['details'];

  constructor(
    private readonly registry: NodeKindRegistry,
    private readonly details: InspectionDetails,
    private readonly journal: EffectJournal,
  ) {}

  onModuleInit(): void {
    this.registry.register(this);
  }

  readonly run = async (context: NodeContext<SetDetailsSettings>): Promise<NodeResult> => {
    const { config: settings, run, effects, value } = context;
    const place = { flowId: run.flowId, sessionId: sessionOf(settings, run.chatId) };
    const change = await readDetailsSetting(settings.details, value);
    if (!change) return { output: (await this.details.read(place)) as unknown as Json, traceInput: {} };
    requireRoomFor(change);
    const answer = await effects.inside('set-details', (effect) =>
      this.details.change({ ...place, executionId: run.executionId }, change, {
        touches: [runKey(effect.runId)],
        opening: (tx) => fence(tx, effect),
        closing: (tx, made) => this.journal.write(tx, effect, 'set-details', made),
      }),
    );
    context.warn(...(answer.warnings ?? []));
    return { output: answer as unknown as Json, traceInput: { details: change.members as Json } };
  };
}

function sessionOf({ sessionId }: SetDetailsSettings, chatId: string): string {
  const given = sessionId?.trim() ?? '';
  const session = identifier.safeParse(given === '' || isUnanswered(given) ? chatId : given);
  if (session.success) return session.data;
  throw new Error('The sessionId of the details must have 1 to 256 plain characters.');
}
