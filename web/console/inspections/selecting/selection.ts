/** The chosen photographs; `anchor` is the one that was chosen last, where a range begins. */
export interface Selection {
  ids: ReadonlySet<string>;
  anchor: string | undefined;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: undefined };

/** One more, or one less. */
export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** With everything between the anchor and this one, as `order` has them. */
export function extended(selection: Selection, id: string, order: readonly string[]): Selection {
  const [from, to] = [order.indexOf(selection.anchor ?? ''), order.indexOf(id)];
  if (from < 0 || to < 0) return toggled(selection, id);
  const between = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selection.ids, ...between]), anchor: selection.anchor };
}

/** All of these; where all of them are chosen already, none. */
export function allToggled({ ids, anchor }: Selection, these: readonly string[]): Selection {
  const isAll = these.every((id) => ids.has(id));
  const next = isAll ? [...ids].filter((id) => !these.includes(id)) : [...ids, ...these];
  return { ids: new Set(next), anchor };
}

/** Those that can still be chosen; the same object where none is gone. */
export function stillThere(selection: Selection, order: readonly string[]): Selection {
  const known = new Set(order);
  const left = [...selection.ids].filter((id) => known.has(id));
  return left.length === selection.ids.size ? selection : { ...selection, ids: new Set(left) };
}
