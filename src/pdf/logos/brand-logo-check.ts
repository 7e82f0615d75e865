import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Fault } from '../../common/service-error.js';
import { brandOf, logoData } from '../../flows/definition/chat-brand.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import { DefinitionChecks } from '../../flows/store/definition-checks.js';
import { Logos } from './logos.js';

/** A flow cannot be saved with the id of a missing logo. */
@Injectable()
export class BrandLogoCheck implements OnModuleInit {
  constructor(
    private readonly checks: DefinitionChecks,
    private readonly logos: Logos,
  ) {}

  onModuleInit(): void {
    this.checks.register((definition) => this.faultsOf(definition));
  }

  private async faultsOf({ chat }: FlowDefinition): Promise<Fault[]> {
    const { logo } = brandOf(chat);
    if (logo === undefined || logoData(logo) || (await this.logos.find(logo))) return [];
    const message = 'there is no asset with this id: upload the logo first (POST /api/v1/assets)';
    return [{ path: 'chat.brand.logo', message }];
  }
}
