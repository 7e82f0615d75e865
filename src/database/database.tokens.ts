/** Injection token of the `Connections` of this database. */
export const CONNECTIONS = Symbol('CONNECTIONS');
