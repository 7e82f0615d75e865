import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Attention } from '../../../../src/api/executions.js';
import type { FlowSummary } from '../../../../src/api/flows.js';
import { useFlows } from '../../api/use-flows.js';
import { Button } from '../../parts/actions/button.js';
import { LinkButton } from '../../parts/actions/link-button.js';
import { Time } from '../../parts/values/time.js';
import { counted } from '../../parts/words.js';
import { useNarrow } from '../list/use-rows.js';
import { useOutcome } from '../outcomes/use-outcome.js';
import './needs-attention.css';
import { causeName } from './cause-names.js';
import { remedyOfRefusal } from './remedy-of.js';
import { RemedyLink } from './remedy.js';
import { STUCK_AFTER_MINUTES, useStuckRuns } from './use-stuck-runs.js';

const FEW = 4;
const FEW_ON_A_PHONE = 2;

/**
 * Runs that take too long, and the causes of refused and failed calls of the last 24 hours, most frequent first, each
 * with its remedy.
 */
export function NeedsAttention() {
  const [showsAll, setShowsAll] = useState(false);
  const few = useNarrow() ? FEW_ON_A_PHONE : FEW;
  const flows = useFlows();
  const causes = useOutcome({}).data?.attention ?? [];
  const stuck = useStuckRuns();
  // The remedies need the prices of the flows, if these can be read at all.
  const isWaiting = flows.isPending && flows.failureCount === 0;
  if (isWaiting || (causes.length === 0 && stuck === undefined)) return null;
  const shown = showsAll ? causes : causes.slice(0, few);
  return (
    <section className="attention" aria-labelledby="attention-title">
      <h2 id="attention-title">Needs attention</h2>
      <ul>
        {stuck && <Stuck {...stuck} />}
        {shown.map((cause) => (
          <Cause
            key={[cause.cause, cause.flowId, cause.account, cause.origin].join(' ')}
            cause={cause}
            flow={flows.data?.find(({ id }) => id === cause.flowId)}
          />
        ))}
      </ul>
      {causes.length > few && (
        <Button small look="quiet" aria-expanded={showsAll} onPress={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show all ${causes.length}`}
        </Button>
      )}
    </section>
  );
}

function Stuck({ longest, count, until }: NonNullable<ReturnType<typeof useStuckRuns>>) {
  const name = `Running for more than ${STUCK_AFTER_MINUTES} minutes`;
  return (
    <li className="attention-cause">
      <p>
        <b>{name}</b>
        <span className="attention-where">
          <bdi>{longest.flowName ?? longest.flowId}</bdi>
        </span>
        <span className="attention-count">
          <Link to="/console/executions" search={{ status: 'running', to: until }}>
            {count}
          </Link>{' '}
          since <Time at={longest.startedAt} />
        </span>
      </p>
      <div className="attention-actions">
        <LinkButton
          small
          to="/console/executions/$id"
          params={{ id: longest.id }}
          aria-label={`Open the longest: ${name}`}
        >
          Open the longest
        </LinkButton>
      </div>
    </li>
  );
}

function Cause({
  cause: { cause, count, flowId, account, origin, since, sample },
  flow,
}: {
  cause: Attention;
  flow: FlowSummary | undefined;
}) {
  const name = causeName(cause);
  const price = flow?.price ?? 0;
  return (
    <li className="attention-cause">
      <p>
        <b>{name}</b>
        <span className="attention-where">
          {flowId !== undefined && <bdi>{flow?.name ?? flowId}</bdi>}
          {cause === 'insufficient_credit' && account !== undefined && (
            <span>
              account <bdi>{account}</bdi>
            </span>
          )}
          {origin !== undefined && <bdi>{origin}</bdi>}
        </span>
        <span className="attention-count">
          <Link
            to="/console/executions"
            search={{ code: cause, ...(flowId === undefined ? {} : { flowId }), from: since }}
          >
            {counted(count, 'call')}
          </Link>{' '}
          since <Time at={since} />
        </span>
      </p>
      <div className="attention-actions">
        <RemedyLink
          remedy={remedyOfRefusal(cause, flowId ?? null)}
          flowId={flowId ?? null}
          account={account}
          amount={price === 0 ? undefined : price * count}
          origin={origin}
        />
        <LinkButton
          small
          look="quiet"
          to="/console/executions/$id"
          params={{ id: sample }}
          aria-label={`Open the latest: ${name}`}
        >
          Open the latest
        </LinkButton>
      </div>
    </li>
  );
}
