/** ISO 8601 UTC with milliseconds, the form of every time in JSON. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();
