import { areaNamed } from '../../src/inspection/areas/classify-area.js';
import type { PhotographInput, ReportInput } from '../../src/inspection/report/report-input.js';

/** 24 Oct 2026, 10:00 BST. */
export const FIRST_INSTANT = Date.UTC(2026, 9, 24, 9);
export const NOW = Date.UTC(2026, 9, 26, 12);

/** Photographs a minute apart; `parts` gives the members that matter to the test. */
export function photographs(
  parts: readonly (Partial<PhotographInput> & { readonly areaName: string })[],
): PhotographInput[] {
  return parts.map((part, index) => {
    const { key, type, service } = areaNamed(part.areaName, part.areaType);
    const capturedAt = FIRST_INSTANT + index * 60_000;
    return {
      id: `photograph-${index + 1}`,
      areaKey: key,
      areaType: type,
      ...(service === undefined ? {} : { service }),
      capturedAt,
      source: 'captureTs',
      receivedAt: capturedAt,
      arrival: index + 1,
      width: 1280,
      height: 960,
      rendition: `print-${index + 1}`,
      renditionSha256: null,
      sha256: '0'.repeat(64),
      bytes: 1,
      ...part,
    };
  });
}

/** A report's input: by default with one photograph of a kitchen. */
export const reportInput = (input: Partial<ReportInput> = {}): ReportInput => ({
  reportId: '0199a1f2-7c3e-7b1a-9d55-3f1c2b7a9e40',
  now: NOW,
  photographs: photographs([{ areaName: 'Kitchen' }]),
  remarks: [],
  meta: {},
  ...input,
});
