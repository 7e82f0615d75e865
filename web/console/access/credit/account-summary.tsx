import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { BalanceView } from '../../../../src/api/credit.js';
import type { FlowSummary } from '../../../../src/api/flows.js';
import { Button } from '../../parts/actions/button.js';
import { AlertIcon, CheckIcon } from '../../parts/icons.js';
import { Tag } from '../../parts/values/status-tag.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { counted, numberInWords } from '../../parts/words.js';
import { creditLevel, type RunsLeft, runsLeft } from './runs-left.js';

const SHOWN_AT_ONCE = 6;

/** The balance of an account and the runs that it pays for. */
export function AccountSummary({
  balance: { account, balance },
  flows,
}: {
  balance: BalanceView;
  flows: UseQueryResult<FlowSummary[]>;
}) {
  const left = runsLeft(balance, account, flows.data ?? []);
  return (
    <div className="account">
      <div className="account-balance">
        <h3>Balance</h3>
        <p className="account-number">
          {numberInWords(balance)} <span>{balance === 1 ? 'credit' : 'credits'}</span>
        </p>
        {flows.data && <Level left={left} />}
      </div>
      <div className="account-runs">
        <h3>Runs left, by flow</h3>
        <Fetched queries={[flows]} label="Loading the flows" lines={3}>
          {flows.data && <Runs left={left} />}
        </Fetched>
      </div>
    </div>
  );
}

function Level({ left }: { left: readonly RunsLeft[] }) {
  const [first] = left;
  if (!first || first.runs === Infinity) return null;
  const level = creditLevel(left);
  if (level === 'good')
    return (
      <Tag tone="good" icon={<CheckIcon />}>
        Enough
      </Tag>
    );
  return (
    <>
      <Tag tone={level === 'empty' ? 'bad' : 'warn'} icon={<AlertIcon />}>
        {level === 'empty' ? 'Too low' : 'Low'}
      </Tag>
      <p className="faint">
        {level === 'empty'
          ? 'Calls are refused with 402 until you top up the account.'
          : `Top up soon: ${counted(first.runs, 'run')} of “${first.flow.name}” left.`}
      </p>
    </>
  );
}

function Runs({ left }: { left: readonly RunsLeft[] }) {
  const [all, setAll] = useState(false);
  if (left.length === 0) return <p className="faint">No flow is charged to this account.</p>;
  return (
    <>
      <ul>
        {(all ? left : left.slice(0, SHOWN_AT_ONCE)).map(({ flow, runs }) => (
          <li key={flow.id}>
            <Link to="/console/flows/$id" params={{ id: flow.id }}>
              <bdi>{flow.name}</bdi>
            </Link>
            <span className="runs-price faint">
              {flow.price === 0 ? 'free' : `${counted(flow.price, 'credit')} each`}
            </span>
            <span className={runs < 1 ? 'runs-none' : ''}>
              {runs === Infinity ? 'unlimited' : runs < 1 ? 'none left' : counted(runs, 'run')}
            </span>
          </li>
        ))}
      </ul>
      {left.length > SHOWN_AT_ONCE && !all && (
        <Button look="quiet" small onPress={() => setAll(true)}>
          Show all {numberInWords(left.length)}
        </Button>
      )}
    </>
  );
}
