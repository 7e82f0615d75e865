import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PdfRenderer } from '../src/pdf/renderer/pdf-renderer.js';
import { reportJob } from './support/draw-report.js';
import { readPdf } from './support/read-pdf.js';
import { casePictures } from './support/report-cases.js';
import { NOW, photographs, reportInput } from './support/report-input.js';

/** Half of a worker's heap. */
const HEAP_MB = 384;
/** No limit of this test: a slow machine takes as long as it takes. */
const MINUTES_10 = 600_000;

describe('ten thousand observations', () => {
  it(
    'are all drawn, under their areas and as points to note, in half of the heap of a worker',
    async () => {
      const renderer = new PdfRenderer({ memoryLimitMb: HEAP_MB, timeLimitMs: MINUTES_10 });
      const folder = mkdtempSync(join(tmpdir(), 'report-many-facts-'));
      try {
        const outputPath = join(folder, 'report.pdf');
        const input = {
          photographs: photographs([{ areaName: 'Hall', rendition: 'landscape' }]),
          facts: Array.from({ length: 10_000 }, (_, at) => ({
            ...{
              id: `fact-${at}`,
              kind: 'observation' as const,
              areaName: `Room ${at % 20}`,
              areaType: 'room' as const,
            },
            fact: { item: `Item ${at}`, condition: 'poor' as const, action: 'repair' as const },
            photographs: ['photograph-1'],
            recordedAt: NOW,
          })),
        };
        const details = { type: 'inspection', sessionId: 'many' };
        const contents = { details, now: NOW, reports: [reportInput(input)] };
        await renderer.render(reportJob({ contents, pictures: await casePictures(folder), outputPath }));
        const { text } = readPdf(outputPath);
        expect(text.match(/Item \d+ {2}Poor/g)!.length).toBe(20_010);
        expect(text.match(/Item \d+ {2}Repair/g)).toHaveLength(10_000);
      } finally {
        await renderer.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
    MINUTES_10,
  );
});
