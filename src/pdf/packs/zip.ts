/** A file of a ZIP: its name and its bytes, read when its turn comes. */
export interface ZipFile {
  readonly name: string;
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** The bytes of a ZIP whose files are stored as they are (photographs and PDFs do not shrink), piece by piece. `mtime` in epoch milliseconds. */
export async function* zipOf(files: readonly ZipFile[], mtime: number): AsyncGenerator<Uint8Array> {
  // Loaded with the first pack, not at the start.
  const { Zip, ZipPassThrough } = await import('fflate');
  let made: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    failure ??= error;
    if (chunk.length > 0) made.push(chunk);
  });
  const take = (): Uint8Array[] => {
    if (failure) throw failure;
    const taken = made;
    made = [];
    return taken;
  };
  for (const { name, read } of files) {
    const entry = new ZipPassThrough(name);
    entry.mtime = mtime;
    zip.add(entry);
    for await (const piece of read()) {
      entry.push(piece);
      yield* take();
    }
    entry.push(new Uint8Array(0), true);
    yield* take();
  }
  zip.end();
  yield* take();
}
