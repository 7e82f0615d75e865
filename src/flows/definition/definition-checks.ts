import { Injectable } from '@nestjs/common';
import type { Fault } from '../../common/service-error.js';
import type { FlowDefinition } from './flow-definition.js';

/** Finds what a definition names and does not exist. */
export type DefinitionCheck = (definition: FlowDefinition) => Promise<Fault[]>;

/** Checks that upper rooms hand in, made when an admin saves a definition: only they know what they keep. */
@Injectable()
export class DefinitionChecks {
  private readonly checks: DefinitionCheck[] = [];

  register(check: DefinitionCheck): void {
    this.checks.push(check);
  }

  async faultsOf(definition: FlowDefinition): Promise<Fault[]> {
    return (await Promise.all(this.checks.map((check) => check(definition)))).flat();
  }
}
