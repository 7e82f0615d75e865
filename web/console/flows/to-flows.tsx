import { Link } from '@tanstack/react-router';
import { BackIcon } from '../parts/icons.js';

/** The link back to the list of flows. */
export const toFlows = (
  <Link to="/console/flows" className="back">
    <BackIcon />
    Flows
  </Link>
);
