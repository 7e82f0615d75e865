import type { ExecutionCharts } from '../../../../src/api/executions.js';
import { Button } from '../../parts/actions/button.js';
import { Duration } from '../../parts/values/duration.js';
import { Time } from '../../parts/values/time.js';
import { numberInWords } from '../../parts/words.js';
import { dayInWords } from './time-range.js';
import { utcOffset } from './use-outcome.js';

/** The chart as a table, newest first, for screen readers and exact figures. */
export function OutcomeTable({
  stats,
  onChoose,
}: {
  stats: ExecutionCharts;
  onChoose: (at: string) => void;
}) {
  return (
    <div className="outcome-table" tabIndex={0} role="region" aria-label={`By ${stats.by}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{`From, by ${stats.by}`}</th>
            {['All', 'Succeeded', 'Failed', 'Rejected', 'Others', 'Median', '95th percentile'].map((name) => (
              <th key={name} scope="col" className="outcome-number">
                {name}
              </th>
            ))}
            <th scope="col">
              <span className="hidden">Filter</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {stats.buckets.toReversed().map(({ at, count, byStatus, durationMs }) => {
            const { succeeded = 0, failed = 0, rejected = 0 } = byStatus;
            return (
              <tr key={at}>
                <th scope="row">
                  {stats.by === 'day' ? dayInWords(at, utcOffset(), 'long') : <Time at={at} />}
                </th>
                {[count, succeeded, failed, rejected, count - succeeded - failed - rejected].map(
                  (value, index) => (
                    <td key={index} className="outcome-number">
                      {numberInWords(value)}
                    </td>
                  ),
                )}
                <td className="outcome-number">
                  <Duration ms={durationMs.p50} />
                </td>
                <td className="outcome-number">
                  <Duration ms={durationMs.p95} />
                </td>
                <td>
                  <Button small look="quiet" onPress={() => onChoose(at)}>
                    Show these
                  </Button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {stats.buckets.length === 0 && <p className="outcome-note">Nothing ran in this range.</p>}
    </div>
  );
}
