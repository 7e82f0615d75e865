import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { NodeKindRegistry } from '../../flows/definition/node-kind-registry.js';
import type { Json } from '../../flows/engine/json.js';
import type { NodeContext, NodeKind, NodeResult } from '../../flows/engine/node-kind.js';
import { FlowRenders, renderSettings, type RenderSettings } from './flow-renders.js';

const config = z.object(renderSettings).describe('Renders the report of the chat’s inspection.');

/**
 * The node kind `render` (contract section 9): renders the chat's inspection inside the flow's run and under its
 * record. Its output is the render's answer. The run's flow decides which photographs it may use.
 */
@Injectable()
export class RenderNode implements NodeKind<RenderSettings>, OnModuleInit {
  readonly kind = 'render';
  readonly label = 'Render';
  readonly icon = 'page';
  readonly config = config;
  readonly streams = false;
  readonly leafText = 'json';
  readonly persists = () => ({ state: false });
  /** Filled here, because recipients that the flow's author wrote are trusted and those that came in are not. */
  readonly rawTexts = ['email'];
  readonly filledLater = ['email'];

  constructor(
    private readonly registry: NodeKindRegistry,
    private readonly renders: FlowRenders,
  ) {}

  onModuleInit(): void {
    this.registry.register(this);
  }

  readonly run = async (context: NodeContext<RenderSettings>): Promise<NodeResult> => {
    const order = await this.renders.orderOf(context.config, context, context.fill);
    const answer = await this.renders.render(order, context, context.effects);
    if ('warnings' in answer) context.warn(...answer.warnings);
    return { output: answer as unknown as Json };
  };
}
