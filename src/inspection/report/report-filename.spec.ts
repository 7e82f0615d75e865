import { reportFilename } from './report-filename.js';

const NOW = Date.UTC(2026, 10, 21, 9);

describe('the file name (description section 2.3, rule 3)', () => {
  it('has the shape <YYYYMMDD> <propertyNo> <postcode>.pdf', () => {
    expect(reportFilename({ propertyNo: '12A', postcode: 'NW8 0PJ' }, NOW)).toBe('20261121 12A NW8 0PJ.pdf');
  });

  it('leaves no gap for a missing part', () => {
    expect(reportFilename({ postcode: 'NW8 0PJ' }, NOW)).toBe('20261121 NW8 0PJ.pdf');
    expect(reportFilename({ propertyNo: ' / ' }, NOW)).toBe('20261121.pdf');
    expect(reportFilename({}, NOW)).toBe('20261121.pdf');
  });

  it('strips path, control and quote characters', () => {
    const hostile = { propertyNo: '../..\\C:\u0000\ufffd\r\n"\'“”\u202e', postcode: 'a/b' };
    expect(reportFilename(hostile, NOW)).toBe('20261121 ....C ab.pdf');
  });

  it('takes the UK civil date of the render', () => {
    expect(reportFilename({}, Date.UTC(2026, 6, 31, 23, 30))).toBe('20260801.pdf');
  });

  it('has at most 150 characters and keeps its ending', () => {
    const name = reportFilename({ propertyNo: '😀'.repeat(100_000), postcode: 'X' }, NOW);
    expect(name.length).toBeLessThanOrEqual(150);
    expect(name).toMatch(/\.pdf$/);
    expect(name.isWellFormed()).toBe(true);
  });
});
