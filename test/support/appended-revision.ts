/**
 * Revisions appended to a PDF with a classic cross-reference table, as our reports have: valid ones, or ones made to
 * deceive.
 */
export interface Appended {
  /** Bodies by object number: the bytes between `obj` and `endobj`. */
  readonly objects: Readonly<Record<number, string | Buffer>>;
  /** Rows of the table that do not match the positions of the objects. */
  readonly rows?: Readonly<Record<number, string>>;
  /** Objects that no row lists. */
  readonly unnamed?: readonly number[];
  readonly previous?: number;
  readonly root?: string;
  /** Writes a cross-reference stream instead of the table. */
  readonly asStream?: boolean;
}

const text = (pdf: Buffer): string => pdf.toString('latin1');

export const startOfXref = (pdf: Buffer): number =>
  Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text(pdf).slice(-200))![1]);

export const sizeOf = (pdf: Buffer): number => Number(/.*\/Size (\d+)/s.exec(text(pdf))![1]);

export const rootOf = (pdf: Buffer): string => /.*\/Root (\d+ 0 R)/s.exec(text(pdf))![1]!;

/** Returns the last written body of an object. */
export function bodyOf(pdf: Buffer, num: number): string {
  const whole = text(pdf);
  const head = `\n${num} 0 obj\n`;
  const at = whole.lastIndexOf(head) + head.length;
  return whole.slice(at, whole.indexOf('\nendobj', at));
}

/** Returns the numbers of all objects whose body matches. */
export function objectsWith(pdf: Buffer, pattern: RegExp): number[] {
  const found = [...text(pdf).matchAll(/(?:^|\n)(\d+) 0 obj\n/g)].map(([, num]) => Number(num));
  return [...new Set(found)].filter((num) => pattern.test(bodyOf(pdf, num)));
}

export function withRevision(pdf: Buffer, { objects, rows = {}, unnamed = [], ...more }: Appended): Buffer {
  const parts: Buffer[] = [pdf];
  let length = pdf.length;
  const add = (part: Buffer | string): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    parts.push(bytes);
    length += bytes.length;
  };
  const places: [num: number, at: number][] = [];
  for (const [num, body] of Object.entries(objects)) {
    places.push([Number(num), length]);
    add(`${num} 0 obj\n`);
    add(body);
    add('\nendobj\n');
  }
  const named = places.filter(([num]) => !unnamed.includes(num));
  const size = Math.max(sizeOf(pdf), ...places.map(([num]) => num + 1));
  const trailer = `/Root ${more.root ?? rootOf(pdf)} /Prev ${more.previous ?? startOfXref(pdf)}`;
  const xrefAt = length;
  if (more.asStream === true) add(tableAsStream(named, size, trailer, xrefAt));
  else {
    const row = ([num, at]: [number, number]): string =>
      `${num} 1\n${rows[num] ?? `${String(at).padStart(10, '0')} 00000 n `}\n`;
    const others = Object.keys(rows).filter((num) => !(num in objects));
    const table = [...named.map(row), ...others.map((num) => `${num} 1\n${rows[Number(num)]}\n`)];
    add(`xref\n${table.join('')}trailer\n<< /Size ${size} ${trailer} >>\n`);
  }
  add(`startxref\n${xrefAt}\n%%EOF\n`);
  return Buffer.concat(parts);
}

function tableAsStream(named: [number, number][], size: number, trailer: string, xrefAt: number): Buffer {
  const all = [...named, [size, xrefAt] as const];
  const bytes = Buffer.concat(
    all.map(([, at]) => {
      const row = Buffer.alloc(7);
      row[0] = 1;
      row.writeUInt32BE(at, 1);
      return row;
    }),
  );
  const index = all.map(([num]) => `${num} 1`).join(' ');
  const dictionary = `<< /Type /XRef /Size ${size + 1} ${trailer} /W [1 4 2] /Index [${index}] /Length ${bytes.length} >>`;
  return Buffer.concat([
    Buffer.from(`${size} 0 obj\n${dictionary}\nstream\n`),
    bytes,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
}
