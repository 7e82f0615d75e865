import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { NodeKindRegistry } from '../../flows/definition/node-kind-registry.js';
import type { Json } from '../../flows/engine/json.js';
import type { NodeContext, NodeKind, NodeResult } from '../../flows/engine/node-kind.js';
import { FACT_MEMBERS } from '../facts/fact.js';
import {
  readCaptureSettings,
  captureSettings,
  type CaptureSettings,
  FlowCaptures,
  picturesOf,
} from './flow-captures.js';

const config = z
  .object(captureSettings)
  .describe('Records photographs, an area, a remark or observations in the chat’s inspection.');

/**
 * The node kind `capture` (contract section 9): records the message's photographs, and the remark, area or facts that
 * the flow sets, in the chat's inspection. Its output is the capture's answer. Unusable items are listed in `rejected` and
 * never fail the run. A message with nothing to record changes nothing.
 */
@Injectable()
export class CaptureNode implements NodeKind<CaptureSettings>, OnModuleInit {
  readonly kind = 'capture';
  readonly label = 'Capture';
  readonly icon = 'camera';
  readonly config = config;
  readonly streams = false;
  readonly leafText = 'json';
  readonly persists = () => ({ state: false });
  /** Filled here: the engine preserves the type of a list only if the whole text is one reference. */
  readonly rawTexts = ['photographs', 'details', ...FACT_MEMBERS];
  readonly filledLater = ['details'];

  constructor(
    private readonly registry: NodeKindRegistry,
    private readonly captures: FlowCaptures,
  ) {}

  onModuleInit(): void {
    this.registry.register(this);
  }

  readonly run = async (context: NodeContext<CaptureSettings>): Promise<NodeResult> => {
    const {
      texts,
      body,
      photographs = picturesOf(context.run),
    } = await readCaptureSettings(context.config, context);
    const answer = await this.captures.record(() => ({ ...body, photographs }), context, context.effects);
    context.warn(...answer.warnings);
    return {
      output: answer as unknown as Json,
      traceInput: {
        ...texts,
        ...(body.details ? { details: body.details.members as Json } : {}),
        photographs: photographs.length,
        ...(body.facts && { facts: body.facts.length }),
      },
    };
  };
}
