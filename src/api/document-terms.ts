/** The fixed words of document stores. Pages read this file too, so it imports nothing. */

export const DOCUMENT_STATUSES = ['pending', 'running', 'ready', 'failed'] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];
