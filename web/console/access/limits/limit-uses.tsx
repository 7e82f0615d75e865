import type { RateLimitUseView } from '../../../../src/api/access.js';
import { counted, numberInWords } from '../../parts/words.js';
import { timeLeft } from '../time-left.js';
import { useNow } from '../use-now.js';

const MOST = 3;

/** The callers closest to a flow's limit, and the time until one that has reached it may call again. */
export function LimitUses({ uses }: { uses: readonly RateLimitUseView[] }) {
  if (uses.length === 0) return <span className="faint">None</span>;
  const busiest = [...uses].sort((one, other) => other.used - one.used).slice(0, MOST);
  return (
    <ul className="uses">
      {busiest.map((use) => (
        <Use key={JSON.stringify(use.caller)} use={use} />
      ))}
      {uses.length > MOST && <li className="use-who">and {counted(uses.length - MOST, 'more caller')}</li>}
    </ul>
  );
}

function Use({ use: { used, limit, caller, freeAt } }: { use: RateLimitUseView }) {
  const left = Date.parse(freeAt) - useNow();
  const full = used >= limit;
  return (
    <li className={full ? 'use use-full' : 'use'}>
      <span className="use-bar" aria-hidden="true">
        <span style={{ width: `${Math.min(100, (100 * used) / limit)}%` }} />
      </span>
      <span className="number">
        {numberInWords(used)} of {numberInWords(limit)}
      </span>
      <span className="use-who">
        <bdi>{callerInWords(caller)}</bdi>
        {full && `, free in ${timeLeft(left)}`}
      </span>
    </li>
  );
}

const callerInWords = ({ address, apiKeyId, apiKeyName }: RateLimitUseView['caller']): string =>
  address ?? (apiKeyName === null || apiKeyName === undefined ? `revoked key ${apiKeyId ?? ''}` : apiKeyName);
