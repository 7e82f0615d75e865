import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { ApprovalStore } from '../../executions/approvals/approval-store.js';
import { type FlowCall, FlowCheck } from '../flow-call.js';
import { FlowRateLimit } from '../rate-limit/flow-rate-limit.js';

/** 503: an admin has switched the flow off. */
export class FlowDisabled extends ServiceError {
  constructor() {
    super('flow_disabled', 'This flow is switched off. Try again later, or ask its owner to switch it on.');
  }
}

/**
 * Answers 503 `flow_disabled` for a flow that is switched off (contract section 9, rule 6). Never counts toward the address
 * block or the rate limit. On the route that takes answers of humans, a flow with approvals is decided by the body
 * (`FlowAccess.admitAnswer`).
 */
@Injectable()
export class FlowEnabledGuard extends FlowCheck {
  constructor(
    private readonly approvals: ApprovalStore,
    private readonly rateLimit: FlowRateLimit,
  ) {
    super();
  }

  async check(call: FlowCall): Promise<void> {
    const { flow, options } = call;
    if (!flow || flow.definition.enabled !== false || options.disabledToo === true) return;
    if (options.disabledToo === 'answers' && (await this.approvals.isAnyOf(flow.id))) {
      call.onlyAnswers = true;
      return;
    }
    await this.rateLimit.announce(call);
    throw new FlowDisabled();
  }
}
