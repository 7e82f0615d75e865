import type { ComparisonInput } from '../../inspection/report/comparison-report.js';
import type { ReportInput } from '../../inspection/report/report-input.js';

/** What a document is made of, before it is decided what it says. */
export type DocumentContents =
  | { readonly template: 'inspection'; readonly input: ReportInput }
  | { readonly template: 'comparison'; readonly input: ComparisonInput };

/** The reports that stand in a document: whose photographs and logos it may draw. */
export const reportsIn = (contents: DocumentContents): readonly ReportInput[] =>
  contents.template === 'inspection' ? [contents.input] : [contents.input.before, contents.input.after];
