import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { inTurns } from '../../common/pausing.js';
import { type Fault, ServiceError } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import { credentialFaults, namesCredentials } from '../credentials/credential-references.js';
import { Credentials } from '../credentials/credentials.js';
import { checkingDefinition, MOST_FAULTS } from '../definition/checks/check-definition.js';
import { flowFaults } from '../definition/checks/flow-references.js';
import { contentOf, type FlowContent, type FlowDefinition } from '../definition/flow-definition.js';
import { isStreamable } from '../definition/flow.js';
import { NodeKindRegistry } from '../definition/node-kind-registry.js';
import { definitionWarnings } from '../definition/warnings/definition-warnings.js';
import { compileGraph } from '../engine/flow-graph.js';
import { DefinitionChecks } from './definition-checks.js';
import { FlowStore } from './flow-store.js';

/** A definition that can be saved, with its warnings. */
export interface Checked {
  definition: FlowDefinition;
  warnings: Warning[];
  /** Flows and an API key that it names and that do not exist yet. */
  missing: Fault[];
}

/** The faults of a draft; if there are none, its content and warnings. */
export interface DraftOutcome {
  errors: Fault[];
  warnings: Warning[];
  content?: FlowContent;
  isStreaming: boolean;
}

/** The checks of a definition before an admin saves it. */
@Injectable()
export class SaveChecks {
  constructor(
    private readonly kinds: NodeKindRegistry,
    private readonly credentials: Credentials,
    private readonly checks: DefinitionChecks,
    private readonly flows: FlowStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns a checked definition or its faults. For an import `coming` has the ids of all its flows: other unknown flows and
   * API keys are then `missing` instead of faults.
   */
  async outcomeOf(written: unknown, coming?: ReadonlySet<string>): Promise<Checked | { faults: Fault[] }> {
    const checked = await inTurns(checkingDefinition(written, this.kinds.all), this.clock);
    const definition = 'faults' in checked ? checked.legible : checked.definition;
    if (!definition) return { faults: 'faults' in checked ? checked.faults : [] };
    const further = namesCredentials(definition)
      ? credentialFaults(definition, await this.credentials.list())
      : [];
    const missing = await flowFaults(
      definition,
      async (id) => coming?.has(id) === true || (await this.flows.find(id)) !== undefined,
    );
    for (const fault of await this.checks.faultsOf(definition))
      (fault.path === API_KEY_PATH ? missing : further).push(fault);
    if (!coming) further.push(...missing);
    const faults = 'faults' in checked ? checked.faults : [];
    const places = new Set(faults.map(({ path }) => path));
    faults.push(...further.filter(({ path }) => !places.has(path)));
    if (faults.length > 0) return { faults: faults.slice(0, MOST_FAULTS) };
    const warnings = await inTurns(definitionWarnings(written, definition, this.kinds.all), this.clock);
    return { definition, missing, warnings: [...warnings, ...(await this.checks.warningsOf(definition))] };
  }

  /**
   * Returns the checked content of a stored draft, or its faults. Settings are not part of a draft and not checked with it.
   */
  async outcomeOfDraft({ definition }: { definition: string }): Promise<DraftOutcome> {
    const outcome = await this.outcomeOf({ name: 'draft', ...(JSON.parse(definition) as object) });
    if ('faults' in outcome) return { errors: outcome.faults, warnings: [], isStreaming: false };
    const { definition: whole, warnings } = outcome;
    const isStreaming = isStreamable(compileGraph(whole), this.kinds.all);
    return { errors: [], warnings, content: contentOf(whole), isStreaming };
  }

  /** Returns a checked definition. Throws 400 `invalid_flow` with every fault. */
  async checked(written: unknown): Promise<Checked> {
    const outcome = await this.outcomeOf(written);
    if ('faults' in outcome) throw invalidFlow(outcome.faults);
    return outcome;
  }
}

/** The path of the API key in a definition. */
export const API_KEY_PATH = 'access.apiKeyId';

export const invalidFlow = (errors: readonly Fault[]): ServiceError =>
  new ServiceError('invalid_flow', 'The flow cannot run as defined. Correct the members listed in errors.', {
    errors,
  });
