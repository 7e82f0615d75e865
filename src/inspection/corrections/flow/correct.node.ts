import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { NodeKindRegistry } from '../../../flows/definition/node-kind-registry.js';
import type { Json } from '../../../flows/engine/json.js';
import type { NodeContext, NodeKind, NodeResult } from '../../../flows/engine/node-kind.js';
import { correctSettings, type CorrectSettings } from './correct-settings.js';
import { FlowCorrections } from './flow-corrections.js';

const SAYS = [
  'area',
  'areaType',
  'withdrawn',
  'turn',
  'caption',
  'text',
  'fact',
  'undo',
  'list',
  'rename',
] as const;

const config = z
  .object(correctSettings)
  .refine((settings) => SAYS.some((name) => settings[name] !== undefined && settings[name] !== null), {
    message: `must say what is corrected: one of ${SAYS.join(', ')}`,
  })
  .describe('Corrects what is said about photographs, remarks and facts of the chat’s inspection.');

/**
 * The node kind `correct` (contract section 9): corrects a photograph, remark or fact of the chat's inspection, undoes
 * the newest correction, or renames an area. Its output is the corrected record; if there is nothing to correct, the
 * output has a `code` and a `message`, and the run continues.
 */
@Injectable()
export class CorrectNode implements NodeKind<CorrectSettings>, OnModuleInit {
  readonly kind = 'correct';
  readonly label = 'Correct';
  readonly icon = 'pencil';
  readonly config = config;
  readonly streams = false;
  readonly leafText = 'json';
  readonly persists = () => ({ state: false });

  constructor(
    private readonly registry: NodeKindRegistry,
    private readonly corrections: FlowCorrections,
  ) {}

  onModuleInit(): void {
    this.registry.register(this);
  }

  readonly run = async (context: NodeContext<CorrectSettings>): Promise<NodeResult> => ({
    output: (await this.corrections.correct(context.config, context, context.effects)) as unknown as Json,
  });
}
