/** The selected photographs; `anchor` is the last selected one, where a range starts. */
export interface Selection {
  ids: ReadonlySet<string>;
  anchor: string | undefined;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: undefined };

/** Selects one more or deselects it. */
export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** Adds everything between the anchor and this one in `order`. */
export function extended(selection: Selection, id: string, order: readonly string[]): Selection {
  const [from, to] = [order.indexOf(selection.anchor ?? ''), order.indexOf(id)];
  if (from < 0 || to < 0) return toggled(selection, id);
  const between = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selection.ids, ...between]), anchor: selection.anchor };
}

/** Selects all of these, or deselects them if all are selected. */
export function allToggled({ ids, anchor }: Selection, these: readonly string[]): Selection {
  const isAll = these.every((id) => ids.has(id));
  const next = isAll ? [...ids].filter((id) => !these.includes(id)) : [...ids, ...these];
  return { ids: new Set(next), anchor };
}

/** Drops those that can no longer be selected. Returns the same object if nothing changes. */
export function stillThere(selection: Selection, order: readonly string[]): Selection {
  const known = new Set(order);
  const left = [...selection.ids].filter((id) => known.has(id));
  return left.length === selection.ids.size ? selection : { ...selection, ids: new Set(left) };
}
