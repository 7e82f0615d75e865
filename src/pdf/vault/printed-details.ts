import { Injectable } from '@nestjs/common';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import { changed, type Details, readDetailsChange } from '../../inspection/details/read-details.js';
import type { StoredReport } from './report-vault.js';

/** The details that a report prints: members of `meta` (description section 2.3). */
export interface DetailsOfReport {
  readonly id: string;
  readonly details: Details;
}

/** The details of reports as they were rendered: what the request said, filled from the record, laid over by editions. */
@Injectable()
export class PrintedDetails {
  constructor(private readonly claims: ClaimService) {}

  /** Without members that are unknown, wrong or blank: those print nothing. A comparison has none. */
  async of({ id, claimId }: StoredReport): Promise<DetailsOfReport> {
    const meta = (await this.claims.find(claimId))?.meta ?? {};
    const said = Object.entries(changed({}, readDetailsChange(meta)));
    return { id, details: Object.fromEntries(said.filter(([, value]) => !isBlank(value))) };
  }
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && !/\S/.test(value);
