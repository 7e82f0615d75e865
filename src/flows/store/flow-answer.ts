import type { FlowView } from '../../api/flows.js';
import { isoTime } from '../../common/clock.js';
import type { StoredFlow } from './flow-store.js';
import { withMaskedSettings } from './sealed-settings.js';

/** Returns a stored flow for admin routes: the definition, and facts of the store that a PUT ignores. */
export const flowAnswer = ({ flow, createdAt, updatedAt }: StoredFlow): FlowView => ({
  ...withMaskedSettings(flow.definition),
  id: flow.id,
  price: flow.price,
  account: flow.account,
  access: flow.access,
  revision: flow.revision,
  isStreaming: flow.streamable,
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
});
