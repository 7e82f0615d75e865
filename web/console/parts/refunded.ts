import type { Execution } from '../api/types/executions.js';

/** Whether its price was given back: as the ledger has it, what ended 500 or was interrupted, not what was stopped. */
export const isRefunded = ({
  status,
  httpStatus,
  code,
  credits,
}: Pick<Execution, 'status' | 'httpStatus' | 'code' | 'credits'>): boolean =>
  credits > 0 && status === 'failed' && (httpStatus === 500 || code === 'interrupted');
