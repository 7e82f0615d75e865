/** Why a HEIC file cannot be decoded: `unsupported` may well be sound, so that sending it again cannot help. */
export type HeicFaultKind = 'damaged' | 'without_image' | 'too_large' | 'unsupported';

/** Thrown where a fault of the file itself is found. */
export class HeicFault extends Error {
  constructor(readonly kind: HeicFaultKind) {
    super(`the HEIC file is ${kind}`);
    this.name = 'HeicFault';
  }
}
