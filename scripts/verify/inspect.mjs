import { changesOf } from './later/changes.mjs';
import { revisionsAfter } from './later/revisions.mjs';
import { Budget } from './pdf/decoded.mjs';
import { PdfFile } from './pdf/pdf-file.mjs';
import { picturesIn } from './pictures.mjs';
import { readSignature } from './signing/signatures.mjs';

/**
 * Inspects a file whose first `sealed` bytes are sealed (undefined for none): `{ revisions, fault, pages, manifest, why
 * }`. `revisions` are the later ones with the changes of each, `fault` the reason why the rest does not consist of
 * revisions alone, `why` the reason why the pictures could not be inspected. Never throws.
 */
export function inspect(bytes, sealed) {
  const later = sealed === undefined || sealed === bytes.length ? { revisions: [] } : laterOf(bytes, sealed);
  try {
    return { ...later, ...picturesIn(new PdfFile(bytes)) };
  } catch (error) {
    return { ...later, why: error.message };
  }
}

function laterOf(bytes, sealed) {
  const revisions = [];
  const budget = new Budget();
  try {
    const first = new PdfFile(bytes.subarray(0, sealed), budget);
    let before = { comments: 0, fields: 0 };
    for (const revision of revisionsAfter(first, bytes, sealed)) {
      const upTo = bytes.subarray(0, revision.end);
      const after = new PdfFile(upTo, budget);
      const { signatures, faults, ...count } = changesOf(first, after, revision);
      revisions.push({
        number: revisions.length + 2,
        faults,
        signatures: signatures.map((dict) => signatureIn(upTo, dict)),
        comments: count.comments - before.comments,
        fields: count.fields - before.fields,
      });
      before = count;
    }
    return { revisions };
  } catch (error) {
    return { revisions, fault: error.message };
  }
}

function signatureIn(bytes, dict) {
  try {
    return readSignature(bytes, dict, bytes.length);
  } catch {
    return { fits: undefined };
  }
}
