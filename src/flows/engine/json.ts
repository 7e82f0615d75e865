/** A JSON value. Objects may have any member name; readers use own properties only. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
