import { OfflineIcon } from '../icons.js';
import { Tag } from '../values/status-tag.js';

/** Shown instead of a status while the connection to a followed run is lost. */
export const Reconnecting = () => (
  <Tag tone="warn" icon={<OfflineIcon />}>
    Connection lost, reconnecting
  </Tag>
);
