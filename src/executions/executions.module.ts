import { Global, Module } from '@nestjs/common';
import { ExecutionLog } from './execution-log.js';
import { IdempotentAnswers } from './idempotency.js';
import { NodeTraces } from './node-traces.js';
import { UnopenedCalls } from './unopened-calls.js';

/** The log that every room shares: records, traces, kept answers, and what admins see of them. */
@Global()
@Module({
  providers: [NodeTraces, UnopenedCalls, ExecutionLog, IdempotentAnswers],
  exports: [ExecutionLog, IdempotentAnswers],
})
export class ExecutionsModule {}
