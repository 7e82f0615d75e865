import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { inTurns } from '../../common/pausing.js';
import { type Fault, ServiceError } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import { credentialFaults, namesCredentials } from '../credentials/credential-references.js';
import { Credentials } from '../credentials/credentials.js';
import { NodeKindRegistry } from '../nodes/node-kind-registry.js';
import { checkingDefinition } from './checks/check-definition.js';
import { DefinitionChecks } from './definition-checks.js';
import type { FlowDefinition } from './flow-definition.js';
import { flowFaults } from '../nodes/flow-control/flow-references.js';
import { FlowStore } from './flow-store.js';
import { definitionWarnings } from './warnings/definition-warnings.js';

/** A definition that can be saved, and what in it is probably not meant. */
export interface Checked {
  definition: FlowDefinition;
  warnings: Warning[];
  /** Flows that it runs and that are not there, where they may still come. */
  missing: Fault[];
}

/** Everything that is looked at before an admin's definition is saved. */
@Injectable()
export class SaveChecks {
  constructor(
    private readonly kinds: NodeKindRegistry,
    private readonly credentials: Credentials,
    private readonly checks: DefinitionChecks,
    private readonly flows: FlowStore,
    private readonly clock: Clock,
  ) {}

  /** `flowsMayCome`: an import may name a flow that is imported after it. */
  async outcomeOf(written: unknown, flowsMayCome = false): Promise<Checked | { faults: Fault[] }> {
    const checked = await inTurns(checkingDefinition(written, this.kinds.all), this.clock);
    if ('faults' in checked) return checked;
    const { definition } = checked;
    const faults = namesCredentials(definition)
      ? credentialFaults(definition, await this.credentials.list())
      : [];
    faults.push(...(await this.checks.faultsOf(definition)));
    const missing = await flowFaults(definition, async (id) => (await this.flows.find(id)) !== undefined);
    if (!flowsMayCome) faults.push(...missing);
    if (faults.length > 0) return { faults };
    const warnings = await inTurns(definitionWarnings(written, definition, this.kinds.all), this.clock);
    return { definition, missing, warnings: [...warnings, ...(await this.checks.warningsOf(definition))] };
  }

  /** Throws 400 `invalid_flow` with every fault, each told as `locate` says. */
  async checked(
    written: unknown,
    locate: (faults: readonly Fault[]) => readonly Fault[] = (faults) => faults,
    flowsMayCome = false,
  ): Promise<Checked> {
    const outcome = await this.outcomeOf(written, flowsMayCome);
    if ('faults' in outcome) throw invalidFlow(locate(outcome.faults));
    return outcome;
  }
}

export const invalidFlow = (errors: readonly Fault[]): ServiceError =>
  new ServiceError(
    400,
    'invalid_flow',
    'The flow cannot run as defined. Correct the members listed in errors.',
    { errors },
  );
