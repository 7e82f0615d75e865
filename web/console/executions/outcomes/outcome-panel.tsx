import { useMemo, useState } from 'react';
import type { ExecutionCharts, ExecutionFigures } from '../../../../src/api/executions.js';
import { BrowserStorage } from '../../../common/browser-storage.js';
import { Button } from '../../parts/actions/button.js';
import { latePart } from '../../parts/waiting/late-part.js';
import { Problem } from '../../parts/waiting/problem.js';
import { durationInWords, numberInWords } from '../../parts/words.js';
import type { ExecutionsSearch } from '../../search.js';
import { useNarrow } from '../list/use-rows.js';
import './outcome-panel.css';
import type { Bucket } from './outcome-chart.js';
import { OutcomeTable } from './outcome-table.js';
import { everyBucket, type Range, rangeOfBucket } from './time-range.js';
import { useOutcome, utcOffset } from './use-outcome.js';

const OutcomeChart = latePart(() => import('./outcome-chart.js'));

type View = 'chart' | 'table' | 'none';

const device = new BrowserStorage(() => localStorage, 'console:');

/** Outcomes and durations over time of the executions that match the filters, as figures, a chart or a table. */
export function OutcomePanel({
  search,
  onRange,
}: {
  search: ExecutionsSearch;
  onRange: (range: Required<Range>) => void;
}) {
  const narrow = useNarrow();
  const [view, setView] = useState<View>(
    () => viewOf(device.get('outcome-view')) ?? (narrow ? 'none' : 'chart'),
  );
  const show = (wanted: View) => {
    setView(wanted);
    device.set('outcome-view', wanted);
  };
  const query = useOutcome(search);
  const stats = query.data;
  const buckets = useMemo(() => stats && bucketsOf(stats), [stats]);
  const choose = (at: string) => stats && onRange(rangeOfBucket(at, stats.by));
  if (query.error && !stats) return <Problem error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <section className="outcome" aria-label="Outcome over time">
      <div className="outcome-head">
        <Figures stats={stats} />
        <div className="outcome-views" role="group" aria-label="Show over time as">
          <Button
            small
            look="quiet"
            aria-pressed={view === 'chart'}
            onPress={() => show(view === 'chart' ? 'none' : 'chart')}
          >
            Chart
          </Button>
          <Button
            small
            look="quiet"
            aria-pressed={view === 'table'}
            onPress={() => show(view === 'table' ? 'none' : 'table')}
          >
            Table
          </Button>
        </div>
      </div>
      {view === 'chart' && (
        <div className="outcome-chart">
          {stats && buckets && <OutcomeChart buckets={buckets} by={stats.by} onChoose={choose} />}
        </div>
      )}
      {view === 'table' && stats && <OutcomeTable stats={stats} onChoose={choose} />}
      {search.q !== undefined && view !== 'none' && (
        <p className="outcome-note">These figures ignore the text search.</p>
      )}
      {stats?.complete === false && (
        <p className="outcome-note">Only the newest 50,000 executions of this range are counted.</p>
      )}
    </section>
  );
}

const viewOf = (value: unknown): View | undefined =>
  (['chart', 'table', 'none'] as const).find((view) => view === value);

const nothing = (at: string): Bucket => ({
  at,
  count: 0,
  credits: 0,
  byStatus: {},
  byKind: {},
  durationMs: { p50: null, p95: null },
});

const bucketsOf = (stats: ExecutionCharts): Bucket[] => everyBucket(stats, nothing, utcOffset());

/** The totals. */
function Figures({ stats }: { stats: ExecutionCharts | undefined }) {
  const totals: ExecutionFigures | undefined = stats?.totals;
  const { failed = 0, rejected = 0, running = 0, succeeded = 0 } = totals?.byStatus ?? {};
  const ran = succeeded + failed;
  const percent = ((failed / ran) * 100).toFixed(failed * 100 < ran ? 1 : 0);
  const base = ran === totals?.count ? '' : ` of ${numberInWords(ran)}`;
  const share = ran === 0 ? '' : `${base} (${percent}%)`;
  const figures: [name: string, value: string, look?: string][] = [
    ['Executions', totals ? numberInWords(totals.count) : '–'],
    ['Succeeded', numberInWords(succeeded)],
    ['Failed', `${numberInWords(failed)}${share}`, failed > 0 ? 'figure-bad' : ''],
    ['Rejected', numberInWords(rejected)],
    ...(running > 0 ? [['Running', numberInWords(running)] as [string, string]] : []),
    ['Median', time(totals?.durationMs.p50)],
    ['95th percentile', time(totals?.durationMs.p95)],
  ];
  return (
    <dl className="figures">
      {figures.map(([name, value, look = '']) => (
        <div key={name} className={`figure ${look}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const time = (ms: number | null | undefined): string =>
  ms === null || ms === undefined ? '–' : durationInWords(ms);
