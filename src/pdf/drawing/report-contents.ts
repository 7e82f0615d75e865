import { InvalidRequest, NotFound } from '../../common/service-error.js';
import type { Claim, ClaimSource } from '../../inspection/claims/claim.js';
import type { ClaimService } from '../../inspection/claims/claim.service.js';
import { previousReportIn } from '../../inspection/report/front-matter.js';
import type { PhotographInput, ReportInput } from '../../inspection/report/report-input.js';
import { type Logos, splitLogo } from '../logos/logos.js';
import { templateNamed } from '../templates.js';
import { inspection } from '../templates/inspection/inspection-template.js';
import type { Contents, EarlierReports, SourceDetails } from '../templates/template.js';
import type { ReportVault, StoredReport } from '../vault/report-vault.js';
import type { Print, SteppedPrints } from './smaller-prints.js';

/** The details of an inspection report whose claim holds everything else. */
export const OF_A_CLAIM: SourceDetails = { type: inspection.id };

/**
 * Returns the part of a request that is stored with its claim for a redraw: all but `meta`, which the claim stores as it is
 * printed. Null for an inspection report, which has no other details.
 */
export function storedDetails(details: SourceDetails & { readonly meta?: unknown }): ClaimSource | null {
  if (details.type === inspection.id) return null;
  const { meta: _, ...stored } = details;
  return stored;
}

/** Returns the details of the claim's render. */
export function detailsOf({ source, sessionId, meta }: Claim): SourceDetails {
  const stored = source ?? { type: inspection.id, sessionId };
  return meta === null ? stored : { ...stored, ...{ meta } };
}

/**
 * Finds the reports that a source names, in order; for one without an id, that of the check-in which the last one names.
 * Throws 404, and 400 if there is none.
 */
export async function earlierReports(
  { reports }: EarlierReports,
  vault: Pick<ReportVault, 'find'>,
  claims: Pick<ClaimService, 'find'>,
): Promise<StoredReport[]> {
  const last = reports.at(-1)?.id;
  const found: StoredReport[] = [];
  for (const { id, path } of reports) {
    const named = id ?? (last === undefined ? undefined : await previousOf(last, vault, claims));
    if (named === undefined) throw new InvalidRequest([{ path, message: NO_PREVIOUS }]);
    const report = await vault.find(named);
    if (!report) throw new NotFound(`The report in ${path}`);
    found.push(report);
  }
  return found;
}

const NO_PREVIOUS = 'is required: the later report names no report of a check-in (meta.previousReport)';

/** Returns the id of the report that the details of a report name. A claim's details never change, so that a redraw finds the same. */
async function previousOf(
  id: string,
  vault: Pick<ReportVault, 'find'>,
  claims: Pick<ClaimService, 'find'>,
): Promise<string | undefined> {
  const report = await vault.find(id);
  return report && previousReportIn((await claims.find(report.claimId))?.meta);
}

/** Reads everything that a claim's report depends on. It never changes, so that a redraw gives the same bytes. */
export async function reportContents(
  claim: Claim,
  claims: ClaimService,
  vault: ReportVault,
): Promise<Contents<SourceDetails>> {
  const details = detailsOf(claim);
  const from = templateNamed(details.type).source(details);
  const reports: ReportInput[] = [];
  if (from.of === 'session') reports.push(await claims.reportInput(claim));
  else
    for (const { claimId } of await earlierReports(from, vault, claims)) {
      const earlier = await claims.find(claimId);
      if (!earlier) throw new Error('the claim of an earlier report is missing');
      reports.push(await claims.reportInput(earlier));
    }
  return { details, now: claim.createdAt, reports, look: claim.look };
}

/** Returns the storage keys of a report's pictures, by the keys that the report uses. */
export async function pictureKeys(
  { reports }: Contents<SourceDetails>,
  logos: Pick<Logos, 'find'>,
): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const { photographs, meta } of reports) {
    for (const { rendition } of photographs) if (rendition !== null) keys.set(rendition, rendition);
    const { logo } = splitLogo(meta);
    const file = logo === undefined ? undefined : await logos.find(logo);
    if (logo !== undefined && file) keys.set(logo, file.key);
  }
  return keys;
}

/** Returns the prints of a report, each once. */
export function printsOf({ reports }: Contents<SourceDetails>): Print[] {
  const prints = new Map<string, Print>();
  for (const { photographs } of reports)
    for (const { rendition: key, renditionSha256: sha256, renditionBytes: bytes } of photographs)
      if (key !== null && sha256 !== null && bytes !== undefined) prints.set(key, { key, sha256, bytes });
  return [...prints.values()];
}

/** Returns the report with its pictures in another size: in the same frames, with their own hashes. */
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
