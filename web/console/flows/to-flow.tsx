import { Link } from '@tanstack/react-router';
import { BackIcon } from '../parts/icons.js';

/** The link back to a flow from one of its pages. */
export const toFlow = (id: string, name = 'The flow') => (
  <Link to="/console/flows/$id" params={{ id }} className="back">
    <BackIcon />
    {name}
  </Link>
);
