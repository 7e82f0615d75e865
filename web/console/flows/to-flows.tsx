import { Link } from '@tanstack/react-router';
import { BackIcon } from '../parts/icons.js';

/** From a flow back to all of them. */
export const toFlows = (
  <Link to="/console/flows" className="back">
    <BackIcon />
    Flows
  </Link>
);
