import { OfflineIcon } from '../icons.js';
import { Tag } from '../values/status-tag.js';

/** Stands where a status stands, while a run that is followed is out of reach. */
export const Reconnecting = () => (
  <Tag tone="warn" icon={<OfflineIcon />}>
    Connection lost, reconnecting
  </Tag>
);
