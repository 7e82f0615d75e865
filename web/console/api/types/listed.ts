/** `nextCursor` is null on the last page. */
export interface Listed<Item> {
  data: Item[];
  nextCursor: string | null;
}
