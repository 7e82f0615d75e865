/**
 * Counts windows with more than `limit` accepted calls, given calls `{ sent, answered }` in milliseconds. A call was
 * counted between its sending and its answer, so limit + 1 calls whose first sending and last answer lie within one
 * window prove a violation.
 */
export function fullerWindows(accepted, limit, windowMs) {
  const calls = [...accepted].sort((a, b) => a.sent - b.sent);
  let found = 0;
  for (let index = 0; index + limit < calls.length; index++) {
    const group = calls.slice(index, index + limit + 1);
    const last = Math.max(...group.map((call) => call.answered));
    if (last - group[0].sent < windowMs) found++;
  }
  return found;
}
