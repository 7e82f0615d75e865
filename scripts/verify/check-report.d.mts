/** The answer on a file, in sentences. */
export interface Verdict {
  /** 0 as it was made, 1 altered, 2 nobody trusted vouches for it. */
  readonly code: 0 | 1 | 2;
  readonly title: 'Unaltered' | 'ALTERED' | 'NOT VOUCHED FOR' | 'NO SEAL';
  readonly lines: readonly string[];
  /** One for each revision behind the first. */
  readonly revisions: readonly string[];
  readonly pictures: { readonly faults: readonly string[]; readonly told: string };
  /** Which report it says that it is. */
  readonly report?: string;
}

export function checkReport(bytes: Uint8Array, trusted: ReadonlyMap<string, string>): Verdict;
