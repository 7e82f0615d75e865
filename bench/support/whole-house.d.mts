import type { Area } from '../../src/inspection/areas/classify-area.js';
import type { ReportInput } from '../../src/inspection/report/report-input.js';

export function wholeHouse(
  areaNamed: (name: string) => Area,
  pictureOf?: (shape: 'landscape' | 'portrait' | 'wide', place: number) => string,
): ReportInput;
