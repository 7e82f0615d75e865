/** References and tags in all texts of a flow: each is parsed and looked up when the flow is saved. */
const MOST_MARKS = 50_000;

/**
 * Returns the index of the node at which a flow exceeds 50,000 of these marks; undefined when it does not. Stops counting
 * there.
 */
export function crowdedNode(nodes: readonly unknown[], marks: readonly string[]): number | undefined {
  let left = MOST_MARKS;
  const index = nodes.findIndex((node) => {
    const open: unknown[] = [node];
    while (open.length > 0 && left >= 0) {
      const value = open.pop();
      if (typeof value === 'string') for (const mark of marks) left -= countOf(value, mark, left);
      else if (typeof value === 'object' && value !== null)
        for (const member of Object.values(value)) open.push(member);
    }
    return left < 0;
  });
  return index < 0 ? undefined : index;
}

export const tooManyMarks = (what: string): string =>
  `with the texts of this node the flow has more than ${MOST_MARKS} ${what}: shorten them`;

function countOf(text: string, mark: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0 && count <= most; at = text.indexOf(mark, at + mark.length))
    count++;
  return count;
}
