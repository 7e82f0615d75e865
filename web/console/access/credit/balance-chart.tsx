import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { LedgerEntryView } from '../../../../src/api/credit.js';
import { instantInWords, numberInWords } from '../../parts/words.js';
import '../../parts/values/chart-tip.css';
import './balance-chart.css';
import { balanceHistory, evenTicks, historyInWords } from './balance-history.js';

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const second = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });
const DAY_MS = 86_400_000;
const TICKS = 5;

const formatFor = (spanMs: number) => (spanMs > 2 * DAY_MS ? day : spanMs > 10 * 60_000 ? minute : second);

/** A chart of the balance after each entry. A sentence and the ledger give the same facts in words. */
export default function BalanceChart({
  entries,
  until,
}: {
  entries: readonly LedgerEntryView[];
  /** Epoch milliseconds at which the entries were read. */
  until: number;
}) {
  const points = balanceHistory(entries, until);
  const span = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0);
  const format = formatFor(span);
  return (
    <figure className="balance-chart">
      <div role="img" aria-label={historyInWords(entries)}>
        <ResponsiveContainer width="100%" height={190} initialDimension={{ width: 600, height: 190 }}>
          <AreaChart
            data={points}
            margin={{ top: 8, right: 28, bottom: 0, left: 0 }}
            accessibilityLayer={false}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="at"
              type="number"
              scale="time"
              domain={['dataMin', 'dataMax']}
              ticks={evenTicks(points, TICKS)}
              interval="preserveStartEnd"
              tickFormatter={(at: number) => format.format(at)}
              tick={{ fill: 'var(--muted)', fontSize: 12 }}
              tickLine={false}
              axisLine={false}
              minTickGap={48}
            />
            <YAxis
              width={46}
              tickFormatter={(value: number) => short.format(value)}
              tick={{ fill: 'var(--muted)', fontSize: 12 }}
              tickLine={false}
              axisLine={false}
              allowDecimals={false}
              domain={[0, 'auto']}
            />
            <Tooltip content={<Shown />} isAnimationActive={false} cursor={{ stroke: 'var(--edge)' }} />
            <Area
              dataKey="balance"
              type="stepAfter"
              stroke="var(--accent-text)"
              strokeWidth={2}
              fill="var(--accent-soft)"
              fillOpacity={0.7}
              isAnimationActive={false}
              activeDot={{ r: 4, fill: 'var(--accent-text)', stroke: 'var(--surface)' }}
            />
          </AreaChart>
        </ResponsiveContainer>
      </div>
      <figcaption>{historyInWords(entries)}</figcaption>
    </figure>
  );
}

/** The tooltip; Recharts passes the point under the pointer. */
function Shown({ payload }: { payload?: readonly { payload: { at: number; balance: number } }[] }) {
  const point = payload?.[0]?.payload;
  if (!point) return null;
  return (
    <div className="chart-tip balance-tip">
      <strong>{numberInWords(point.balance)} credits</strong>
      <span>{instantInWords(new Date(point.at).toISOString())}</span>
    </div>
  );
}
