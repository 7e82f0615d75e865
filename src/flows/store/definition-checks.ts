import { Injectable } from '@nestjs/common';
import type { Fault } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import type { FlowDefinition } from '../definition/flow-definition.js';

/** Returns a fault for each object that a definition names and that does not exist. */
type DefinitionCheck = (definition: FlowDefinition) => Promise<Fault[]>;

/** Returns a warning for each object that a definition names and that may be missing; the definition is saved anyway. */
export type DefinitionDoubt = (definition: FlowDefinition) => Promise<Warning[]>;

/** Checks of a saved definition that upper modules register, because only they know what they store. */
@Injectable()
export class DefinitionChecks {
  private readonly checks: DefinitionCheck[] = [];
  private readonly doubts: DefinitionDoubt[] = [];

  register(check: DefinitionCheck): void {
    this.checks.push(check);
  }

  async faultsOf(definition: FlowDefinition): Promise<Fault[]> {
    return (await Promise.all(this.checks.map((check) => check(definition)))).flat();
  }

  registerDoubt(doubt: DefinitionDoubt): void {
    this.doubts.push(doubt);
  }

  async warningsOf(definition: FlowDefinition): Promise<Warning[]> {
    return (await Promise.all(this.doubts.map((doubt) => doubt(definition)))).flat();
  }
}
