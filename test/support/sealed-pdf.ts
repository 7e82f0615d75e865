import { type Appended, bodyOf, objectsWith, rootOf, sizeOf, withRevision } from './appended-revision.js';

/** A sealed report and its object numbers, for appending revisions. */
export class SealedPdf {
  /** The first unused object number. */
  readonly fresh: number;
  readonly root: number;
  readonly pages: readonly number[];

  constructor(readonly bytes: Buffer) {
    this.fresh = sizeOf(bytes);
    this.root = Number.parseInt(rootOf(bytes));
    this.pages = objectsWith(bytes, /\/Type \/Page\n/);
  }

  /** Returns the report with one more revision. */
  with(revision: Appended): Buffer {
    return withRevision(this.bytes, revision);
  }

  bodyOf(num: number): string {
    return bodyOf(this.bytes, num);
  }

  /** Returns the first object whose body matches. */
  objectWith(pattern: RegExp): number {
    return objectsWith(this.bytes, pattern)[0]!;
  }

  /** Returns an object with one more entry in its dictionary. */
  withEntry(num: number, entry: string): Appended['objects'] {
    return { [num]: this.bodyOf(num).replace(/>>$/, `${entry}\n>>`) };
  }

  /**
   * Returns a page (the last one by default) with annotations, the first of which is object `fresh`; `more` objects
   * follow.
   */
  marked(
    mark: string | readonly string[],
    page = this.pages.at(-1)!,
    more: Appended['objects'] = {},
  ): Buffer {
    const marks = [mark].flat().map((each, place) => [this.fresh + place, `<< /Type /Annot ${each} >>`]);
    const names = marks.map(([num]) => `${num} 0 R`).join(' ');
    const body = this.bodyOf(page);
    const links = body.includes('/Annots [')
      ? { [page]: body.replace('/Annots [', `/Annots [${names} `) }
      : this.withEntry(page, `/Annots [${names}]`);
    return this.with({ objects: { ...links, ...Object.fromEntries(marks), ...more } });
  }

  /** An appearance stream. */
  drawing(content: string, resources = ''): Buffer {
    const box = '/Type /XObject /Subtype /Form /BBox [0 0 240 180]';
    return Buffer.from(`<< ${box} ${resources} /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }

  photographPage(): number {
    return this.pages.find((num) => /\/I1 \d/.test(this.resourcesOf(num)))!;
  }

  private resourcesOf(page: number): string {
    return this.bodyOf(Number(/\/Resources (\d+)/.exec(this.bodyOf(page))?.[1] ?? page));
  }
}
