import { Injectable } from '@nestjs/common';
import { Metrics } from './common/http/metrics.js';
import { LateWrites } from './database/writes/late-writes.js';
import { WriteGate } from './database/writes/write-gate.js';
import { RunningCalls } from './executions/calls/running-calls.js';
import { Takeover } from './executions/calls/takeover.js';
import { ReportDrawing } from './pdf/drawing/report-drawing.js';

/** Registers the figures of all modules in `/metrics`. The modules only count and do not know the metrics. */
@Injectable()
export class ServiceFigures {
  constructor(
    metrics: Metrics,
    gate: WriteGate,
    late: LateWrites,
    running: RunningCalls,
    takeover: Takeover,
    drawing: ReportDrawing,
  ) {
    metrics.addGauge('write_queue_length', 'Writes that wait for their transaction.', () => gate.queueLength);
    metrics.addGauge('write_lanes_in_use', 'Transactions that write at present.', () => gate.lanesInUse);
    metrics.addGauge('late_writes_waiting', 'Writes that failed and are retried.', () => late.queueLength);
    metrics.addGauge('runs_under_way', 'Recorded calls that this process runs.', () => running.count);
    metrics.addGauge('report_queue_length', 'Reports that wait to be drawn.', () => drawing.queueLength);
    metrics.addCounter(
      'runs_taken_over_total',
      'Runs taken over from processes that ended.',
      () => takeover.count,
    );
  }
}
