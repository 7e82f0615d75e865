import type { PhotographInput } from '../../inspection/report/report-input.js';
import type { Contents, SourceDetails } from '../templates/template.js';
import type { Print, SteppedPrints } from './smaller-prints.js';

/** The prints of a report, each once, however often it stands there. */
export function printsOf({ reports }: Contents<SourceDetails>): Print[] {
  const prints = new Map<string, Print>();
  for (const { photographs } of reports)
    for (const { rendition: key, renditionSha256: sha256, renditionBytes: bytes } of photographs)
      if (key !== null && sha256 !== null && bytes !== undefined) prints.set(key, { key, sha256, bytes });
  return [...prints.values()];
}

/** The same report with its pictures in another size: in the same frames, under hashes of their own. */
export const withSmaller = (
  contents: Contents<SourceDetails>,
  stepped: SteppedPrints,
): Contents<SourceDetails> => ({
  ...contents,
  reports: contents.reports.map((report) => ({
    ...report,
    photographs: report.photographs.map((photograph) => inSize(photograph, stepped)),
  })),
});

function inSize(photograph: PhotographInput, { step, smaller }: SteppedPrints): PhotographInput {
  const print = photograph.rendition === null ? undefined : smaller.get(photograph.rendition);
  if (!print) return photograph;
  return { ...photograph, renditionSha256: print.sha256, renditionBytes: print.bytes, reducedTo: step };
}
