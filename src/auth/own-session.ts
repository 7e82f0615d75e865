const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * Whether a session's or chat's id is itself the key to its own session on an open flow (contract section 5): a random
 * UUID, as the chat page makes them, which nobody can guess; telephone numbers and names anybody can.
 */
export const isItsOwnKey = (sessionId: string): boolean => VERSION_4.test(sessionId);
