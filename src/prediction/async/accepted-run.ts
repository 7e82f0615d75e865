/** The answer to a caller who does not wait: at once, and again under the same key or for the same click. */
export interface AcceptedRun {
  executionId: string;
  status: 'running';
  /** Path of the run's state. */
  location: string;
}

/** The run of this flow whose state the token opens. */
export const acceptedRun = (flowId: string, executionId: string, token: string): AcceptedRun => ({
  executionId,
  status: 'running',
  location: `/api/v1/prediction/${encodeURIComponent(flowId)}/runs/${token}`,
});
