/** A PDF as a viewer reads it: from its end, by its tables. */
export class PdfFile {
  constructor(bytes: Uint8Array);
  readonly trailer: ReadonlyMap<string, unknown>;
  readonly catalogue: ReadonlyMap<string, unknown>;
  readonly pages: readonly { readonly ref: unknown; readonly dict: ReadonlyMap<string, unknown> }[];
  readonly entries: ReadonlyMap<number, unknown>;
  object(num: number): unknown;
  follow(value: unknown): unknown;
  dict(value: unknown): ReadonlyMap<string, unknown> | undefined;
  list(value: unknown): readonly unknown[];
}
