import type { ReactNode } from 'react';
import {
  Bar,
  BarChart,
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { StatsUnit } from '../../../../src/api/execution-terms.js';
import '../../parts/values/chart-tip.css';
import type { ExecutionCharts } from '../../../../src/api/executions.js';
import { durationInWords, numberInWords } from '../../parts/words.js';
import { ticksOf } from './chart-ticks.js';
import { dayInWords } from './time-range.js';
import { utcOffset } from './use-outcome.js';

export type Bucket = ExecutionCharts['buckets'][number];

const SERIES = [
  ['succeeded', 'Succeeded', 'var(--chart-good)'],
  ['others', 'Others', 'var(--chart-still)'],
  ['rejected', 'Rejected', 'var(--chart-warn)'],
  ['failed', 'Failed', 'var(--chart-bad)'],
] as const;

const TIMES = [
  ['p50', 'Median', 'var(--chart-p50)'],
  ['p95', '95th percentile', 'var(--chart-p95)'],
] as const;

/** Up to this many points are drawn as dots, since a single point draws no line. */
const MOST_DOTS = 48;

interface OutcomeChartProps {
  buckets: readonly Bucket[];
  by: StatsUnit;
  onChoose: (at: string) => void;
}

/** Charts of outcomes and durations. Screen readers get the table instead. */
export default function OutcomeChart({ buckets, by, onChoose }: OutcomeChartProps) {
  const rows = buckets.map(({ at, count, byStatus, durationMs }) => {
    const { succeeded = 0, failed = 0, rejected = 0 } = byStatus;
    return { at, succeeded, failed, rejected, others: count - succeeded - failed - rejected, ...durationMs };
  });
  const known = rows.filter(({ p95 }) => p95 !== null).length;
  const ticks = ticksOf(
    rows.map(({ at }) => at),
    by,
  );
  const choose = ({ activeLabel }: { activeLabel?: string | number | undefined }) => {
    if (typeof activeLabel === 'string') onChoose(activeLabel);
  };
  const common = { data: rows, syncId: 'outcome', accessibilityLayer: false, onClick: choose };
  // Space for half of the last label.
  const margin = { top: 6, right: 24, bottom: 0, left: 0 };
  const axes = (form: (value: number) => string) => [
    <CartesianGrid key="grid" vertical={false} stroke="var(--line)" />,
    <XAxis
      key="x"
      dataKey="at"
      tickFormatter={tickOf(by)}
      ticks={ticks}
      interval={0}
      tickLine={false}
      stroke="var(--line)"
    />,
    <YAxis
      key="y"
      width={56}
      tickFormatter={(value: number) => form(value).replace(' ', '\u00a0')}
      tickCount={3}
      allowDecimals={false}
      axisLine={false}
      tickLine={false}
    />,
  ];
  const still = { isAnimationActive: false } as const;
  return (
    <div className="chart-pair" aria-hidden="true">
      <Chart title="Outcome" series={SERIES}>
        <BarChart {...common} margin={margin} barCategoryGap="12%">
          {axes(numberInWords)}
          <Tooltip
            {...still}
            content={<Tip by={by} series={SERIES} form={numberInWords} />}
            cursor={{ fill: 'var(--chart-cursor)' }}
          />
          {SERIES.map(([key, , colour]) => (
            <Bar key={key} dataKey={key} stackId="all" fill={colour} {...still} />
          ))}
        </BarChart>
      </Chart>
      <Chart title="Duration" series={TIMES}>
        <LineChart {...common} margin={margin}>
          {axes(durationInWords)}
          <Tooltip
            {...still}
            content={<Tip by={by} series={TIMES} form={durationInWords} />}
            cursor={{ stroke: 'var(--edge)' }}
          />
          {TIMES.map(([key, , colour]) => (
            <Line
              key={key}
              dataKey={key}
              stroke={colour}
              strokeWidth={2}
              strokeDasharray={key === 'p95' ? '5 3' : ''}
              dot={known <= MOST_DOTS && { r: 1.8, strokeDasharray: '' }}
              connectNulls
              {...still}
            />
          ))}
        </LineChart>
      </Chart>
    </div>
  );
}

type Series = readonly (readonly [key: string, name: string, colour: string])[];

function Chart({ title, series, children }: { title: string; series: Series; children: ReactNode }) {
  return (
    <div className="chart">
      <div className="chart-head">
        <strong>{title}</strong>
        {series.map(([key, name, colour]) => (
          <span key={key} className="chart-key">
            <span className="chart-swatch" style={{ background: colour }} />
            {name}
          </span>
        ))}
      </div>
      <ResponsiveContainer width="100%" height={112}>
        {children}
      </ResponsiveContainer>
    </div>
  );
}

interface TipProps {
  by: StatsUnit;
  series: Series;
  form: (value: number) => string;
  active?: boolean;
  label?: string | number;
  payload?: readonly { dataKey?: unknown; value?: unknown }[];
}

function Tip({ by, series, form, active = false, label, payload = [] }: TipProps) {
  if (!active || typeof label !== 'string') return null;
  const valueOf = (key: string) => payload.find(({ dataKey }) => dataKey === key)?.value;
  const lines = series.flatMap(([key, name, colour]) => {
    const value = valueOf(key);
    return typeof value === 'number' && value > 0 ? [{ key, name, colour, value }] : [];
  });
  return (
    <div className="chart-tip">
      <strong>{titleOf(label, by)}</strong>
      {lines.map(({ key, name, colour, value }) => (
        <span key={key} className="chart-key">
          <span className="chart-swatch" style={{ background: colour }} />
          {name} <b>{form(value)}</b>
        </span>
      ))}
      {lines.length === 0 && <span>Nothing ran.</span>}
    </div>
  );
}

const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

const isMidnight = (at: string): boolean => new Date(at).toTimeString().startsWith('00:00');

/** Formats a tick as the hour, or as the day at midnight. */
const tickOf = (by: StatsUnit) => (at: string) => {
  if (by === 'day') return dayInWords(at, utcOffset());
  return (isMidnight(at) ? day : clock).format(new Date(at));
};

const titleOf = (at: string, by: StatsUnit): string => {
  if (by === 'day') return dayInWords(at, utcOffset());
  const date = new Date(at);
  return `${day.format(date)}, ${clock.format(date)}`;
};
