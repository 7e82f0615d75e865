import { reportInput } from '../../../test/support/report-input.js';
import { evidenceManifest } from './evidence-manifest.js';

describe('the list of evidence', () => {
  it('of a comparison names the report of each withdrawn remark', () => {
    const remark = (id: string) => ({ id, areaName: 'Hall', text: 'Damp', recordedAt: 0, withdrawnAt: 1 });
    const reports = [
      reportInput({ reportId: 'before', withdrawnRemarks: [remark('1')] }),
      reportInput({ reportId: 'after', withdrawnRemarks: [remark('2')] }),
    ];
    const evidence = { report: { id: 'before+after', createdAt: 0 }, photographs: [] };
    expect(evidenceManifest(evidence, reports).withdrawnRemarks).toMatchObject([
      { id: '1', source: { reportId: 'before' } },
      { id: '2', source: { reportId: 'after' } },
    ]);
    expect(evidenceManifest(evidence, reports.slice(0, 1)).withdrawnRemarks?.[0]).not.toHaveProperty(
      'source',
    );
  });
});
