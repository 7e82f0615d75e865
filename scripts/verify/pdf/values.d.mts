export class Name {
  readonly value: string;
}
export class Text {
  readonly value: string;
}
export class Ref {
  readonly num: number;
}
export class Stream {
  readonly dict: ReadonlyMap<string, unknown>;
  readonly bytes: Uint8Array;
}
/** The text of a name; undefined for anything else. */
export function nameIn(value: unknown): string | undefined;
/** A human-readable text; undefined for anything else. */
export function readable(value: unknown): string | undefined;
