import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExecutionsModule } from '../executions/executions.module.js';
import { PresentedKeys } from '../executions/log/presented-keys.js';
import { FlowsModule } from '../flows/flows.module.js';
import { DefinitionChecks } from '../flows/store/definition-checks.js';
import { AccessCache } from './access-cache.js';
import { AddressBlockController } from './address-block/address-block.controller.js';
import { AddressBlock } from './address-block/address-block.js';
import { AddressMissEntity, AddressStrikeEntity } from './address-block/address-strike.entity.js';
import { ApiKeyEntity } from './api-keys/api-key.entity.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeys } from './api-keys/api-keys.js';
import { CreditLedger } from './credit/credit-ledger.js';
import { CreditController } from './credit/credit.controller.js';
import { CreditAccountEntity, CreditEntryEntity } from './credit/credit.entity.js';
import { FLOW_CHECKS, FlowAccess } from './guards/flow-access.js';
import { FlowRateLimit } from './rate-limit/flow-rate-limit.js';
import { RateLimitHitEntity } from './rate-limit/rate-limit-hit.entity.js';
import { RateLimitUses } from './rate-limit/rate-limit-use.js';
import { RateLimitsController } from './rate-limit/rate-limits.controller.js';
import { RateLimits } from './rate-limit/rate-limits.js';

/** Access and payment: decides if a call may proceed and which account is charged. */
@Global()
@Module({
  imports: [
    ExecutionsModule,
    FlowsModule,
    TypeOrmModule.forFeature([
      AddressMissEntity,
      AddressStrikeEntity,
      ApiKeyEntity,
      CreditAccountEntity,
      CreditEntryEntity,
      RateLimitHitEntity,
    ]),
  ],
  controllers: [AddressBlockController, ApiKeysController, CreditController, RateLimitsController],
  providers: [
    AccessCache,
    AddressBlock,
    ApiKeys,
    RateLimits,
    FlowRateLimit,
    RateLimitUses,
    CreditLedger,
    FlowAccess,
    ...FLOW_CHECKS,
  ],
  exports: [
    FlowsModule,
    AccessCache,
    AddressBlock,
    ApiKeys,
    RateLimits,
    FlowRateLimit,
    CreditLedger,
    FlowAccess,
  ],
})
export class AuthModule {
  constructor(checks: DefinitionChecks, keys: ApiKeys, presented: PresentedKeys) {
    checks.register((definition) => keys.faultsOf(definition));
    presented.register((token) => keys.find(token));
  }
}
