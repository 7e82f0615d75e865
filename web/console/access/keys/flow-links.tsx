import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { FlowSummary } from '../../../../src/api/flows.js';

const MOST = 5;

/** Links to flows, by name. */
export function FlowLinks({ flows }: { flows: readonly FlowSummary[] }) {
  const rest = flows.length - MOST;
  return (
    <>
      {flows.slice(0, MOST).map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Link to="/console/flows/$id" params={{ id }}>
            <bdi>{name}</bdi>
          </Link>
        </Fragment>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </>
  );
}
