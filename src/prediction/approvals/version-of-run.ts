import type { ApprovalStore } from '../../executions/approvals/approval-store.js';
import type { FlowStore } from '../../flows/store/flow-store.js';
import type { PredictionCall } from '../call/prediction-call.js';

/**
 * Returns the call with the version of the flow that the waiting run keeps (contract section 9, rule 15); a draft is read
 * later, with its first call. Undefined if the version is gone: the flow was deleted and created again.
 */
export async function atVersionOfRun(
  call: PredictionCall,
  executionId: string,
  isAsync: boolean,
  { approvals, flows }: { approvals: ApprovalStore; flows: FlowStore },
): Promise<PredictionCall | undefined> {
  const { apiCall, form, body, flow: published } = call;
  const version = await approvals.flowVersionOf(executionId);
  if (version === undefined || version === published.version) return call;
  apiCall.flowVersion = version;
  if (version === 'draft') return call;
  const flow = await flows.findAtVersion(published.id, version);
  if (!flow) return undefined;
  return { ...call, flow, streamed: !isAsync && body.streaming && (form.streamsAlways || flow.streamable) };
}
