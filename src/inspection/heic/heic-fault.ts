/** The reason that a HEIC file cannot be decoded. An `unsupported` file may be sound: sending it again does not help. */
export type HeicFaultKind = 'damaged' | 'without_image' | 'too_large' | 'unsupported';

/** Thrown for a fault of the file itself. */
export class HeicFault extends Error {
  constructor(readonly kind: HeicFaultKind) {
    super(`the HEIC file is ${kind}`);
    this.name = 'HeicFault';
  }
}
