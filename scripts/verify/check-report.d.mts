/** The verdict on a file, in sentences. */
export interface Verdict {
  /** 0 as it was made, 1 altered, 2 not confirmed by a trusted key. */
  readonly code: 0 | 1 | 2;
  readonly title: 'Unaltered' | 'ALTERED' | 'NOT VOUCHED FOR' | 'NO SEAL';
  readonly lines: readonly string[];
  /** One for each revision after the first. */
  readonly revisions: readonly string[];
  readonly pictures: { readonly faults: readonly string[]; readonly sentence: string };
  /** The report id stated in the file. */
  readonly report?: string;
}

export function checkReport(bytes: Uint8Array, trusted: ReadonlyMap<string, string>): Verdict;
