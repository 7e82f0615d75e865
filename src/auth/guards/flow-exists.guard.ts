import { Injectable } from '@nestjs/common';
import { FlowNotFound } from '../../common/service-error.js';
import { findApiCall, noteFlow } from '../../executions/api-call.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { AccessCache } from '../access-cache.js';
import { AddressBlock } from '../address-block/address-block.js';
import { type FlowCall, FlowCheck, isThereFor } from '../flow-call.js';

/** Answers 404 `flow_not_found`, counted toward the address block before the answer (description sections 7 and 8). */
@Injectable()
export class FlowExistsGuard extends FlowCheck {
  constructor(
    private readonly flows: FlowStore,
    private readonly addressBlock: AddressBlock,
    private readonly accessCache: AccessCache,
  ) {
    super();
  }

  async check(call: FlowCall): Promise<void> {
    const { flowId, options } = call;
    if (flowId === undefined) return;
    const flow = await this.flows.findAt(flowId, (await this.accessCache.read(call)).revision);
    if (!flow && options.deletedToo) return void (call.isFlowGone = true);
    if (!flow || !isThereFor(flow, options)) {
      const onceFor = options.missCountsOnce ? { onceFor: flowId } : {};
      throw await this.addressBlock.strike(call.address, onceFor);
    }
    // Other calls may have blocked the address since its block was read, and a block hides which flows exist.
    if (await this.addressBlock.hasMissed(call.address)) {
      this.addressBlock.check(call.address, (await this.accessCache.readAgain(call.address)).blockedUntil);
    }
    call.flow = flow;
    const apiCall = findApiCall(call.request);
    if (apiCall) noteFlow(apiCall, flow);
  }

  protected override async checkForAdmin(call: FlowCall): Promise<void> {
    const { flowId } = call;
    if (flowId === undefined) return;
    const flow = await this.flows.findAt(flowId, (await this.accessCache.read(call)).revision);
    if (!flow && call.options.deletedToo) return void (call.isFlowGone = true);
    if (!flow) throw new FlowNotFound();
    call.flow = flow;
  }
}
