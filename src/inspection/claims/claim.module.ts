import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClaimEntity } from './claim.entity.js';
import { ClaimService } from './claim.service.js';

/** Claims of photographs, for the renders on the floor above. */
@Module({
  imports: [TypeOrmModule.forFeature([ClaimEntity])],
  providers: [ClaimService],
  exports: [ClaimService],
})
export class ClaimModule {}
