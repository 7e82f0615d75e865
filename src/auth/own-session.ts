const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * Returns true if the id of a session or chat is itself the key to it on an open flow (contract section 5): a random
 * UUID, as the chat page makes them, cannot be guessed; telephone numbers and names can.
 */
export const isItsOwnKey = (sessionId: string): boolean => VERSION_4.test(sessionId);
