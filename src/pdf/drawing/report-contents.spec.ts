import type { Claim } from '../../inspection/claims/claim.js';
import { detailsOf, storedDetails } from './report-contents.js';

const claimOf = (source: Claim['source'], meta: unknown): Claim => ({
  id: 'claim',
  sessionId: 'flat-4',
  flowIds: ['flow'],
  state: 'settled',
  executionId: 'execution',
  reportId: 'report',
  source,
  meta,
  photographs: 1,
  remarks: 0,
  outstandingAreas: [],
  photographedBefore: [],
  failure: null,
  createdAt: 0,
  look: { layout: 1 },
});

describe('what a claim keeps of its request', () => {
  it('is nothing but the meta of an inspection report, whose claims are those without a source', () => {
    const meta = { address: '1 High Street' };
    const stored = storedDetails({ type: 'inspection', ...{ sessionId: 'flat-4', meta } });
    expect(stored).toBeNull();
    expect(detailsOf(claimOf(stored, meta))).toEqual({ type: 'inspection', sessionId: 'flat-4', meta });
  });

  it('is everything else of any other report, so that it can be drawn again', () => {
    const asked = { type: 'receipt', sessionId: 'flat-4', copies: 2 };
    const stored = storedDetails({ ...asked, ...{ meta: { logo: 'data:large' } } });
    expect(stored).toEqual(asked);
    expect(detailsOf(claimOf(stored, { company: 'Lets' }))).toEqual({ ...asked, meta: { company: 'Lets' } });
    expect(detailsOf(claimOf(stored, null))).toEqual(asked);
  });
});
