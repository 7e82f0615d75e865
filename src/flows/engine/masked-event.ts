import type { SecretMask } from '../../common/masking/secret-mask.js';
import type { NodeRun, RunEvent, RunResult } from './run-event.js';

/**
 * Masks the run's secrets in an event that leaves the run. The state and the snapshot stay unmasked, because the run
 * continues with them.
 */
export function maskedEvent(event: RunEvent, mask: SecretMask): RunEvent {
  switch (event.type) {
    case 'node-started':
    case 'node-ended':
    case 'call-started':
    case 'call-ended':
      return { ...event, run: maskedRun(event.run, mask) };
    case 'token':
    case 'thinking':
      return { ...event, text: mask.text(event.text) };
    case 'called-tools':
    case 'used-tools':
      return { ...event, tools: mask.value(event.tools) };
    case 'source-documents':
      return { ...event, documents: mask.value(event.documents) };
    case 'progress':
      return { ...event, progress: mask.value(event.progress) };
    case 'finished':
      return { ...event, result: maskedResult(event.result, mask) };
    case 'waiting': {
      const { text, action } = event.approval;
      const approval = { ...event.approval, text: mask.text(text), action: mask.value(action) };
      return { ...event, approval, result: maskedResult(event.result, mask) };
    }
    case 'failed':
      return { ...event, failure: { ...event.failure, message: mask.text(event.failure.message) } };
    case 'aborted':
      return { ...event, reason: mask.text(event.reason) };
    case 'usage':
      return event;
  }
}

const maskedRun = (run: NodeRun, mask: SecretMask): NodeRun => ({
  ...run,
  input: mask.value(run.input),
  ...(run.output === undefined ? {} : { output: mask.value(run.output) }),
  ...(run.error === undefined ? {} : { error: mask.text(run.error) }),
});

function maskedResult(result: RunResult, mask: SecretMask): RunResult {
  const { text, json, followUpPrompts, warnings } = result;
  return {
    ...result,
    text: mask.text(text),
    ...(json === undefined ? {} : { json: mask.value(json) }),
    ...(followUpPrompts === undefined ? {} : { followUpPrompts: mask.value(followUpPrompts) }),
    warnings: mask.value(warnings),
  };
}
