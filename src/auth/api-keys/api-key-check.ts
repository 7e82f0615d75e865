import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Fault } from '../../common/service-error.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import { DefinitionChecks } from '../../flows/store/definition-checks.js';
import { ApiKeys } from './api-keys.js';

/** A flow cannot be saved with the id of a missing key (contract section 4): nobody could call it. */
@Injectable()
export class ApiKeyCheck implements OnModuleInit {
  constructor(
    private readonly checks: DefinitionChecks,
    private readonly keys: ApiKeys,
  ) {}

  onModuleInit(): void {
    this.checks.register((definition) => this.faultsOf(definition));
  }

  private async faultsOf({ access }: FlowDefinition): Promise<Fault[]> {
    const apiKeyId = access?.apiKeyId ?? null;
    if (apiKeyId === null || (await this.keys.exists(apiKeyId))) return [];
    const message = 'there is no API key with this id: make one (POST /api/v1/api-keys) and send its id';
    return [{ path: 'access.apiKeyId', message }];
  }
}
