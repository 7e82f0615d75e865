import { type Codes, END_OF_BLOCK, LOOK, readCodes, WIDE_LOOK } from './jpeg-codes.js';
import { type JpegSegment, type JpegStructure, SOS } from './jpeg-structure.js';

const DHT = 0xc4;
const DQT = 0xdb;
const DRI = 0xdd;

const WIDE_MASK = (1 << WIDE_LOOK) - 1;

/** Padding bytes of any value that some encoders write between the last block of a scan and the next marker. */
const PADDING = 8;

interface Block {
  readonly dc: Codes;
  readonly ac: Codes;
  /** The index of its component in the scan. */
  readonly component: number;
  /** The largest absolute DC value that a block may have. */
  readonly most: number;
}

/** The tables that are in force at a place in the file, by their names. */
interface Tables {
  readonly codes: Map<number, Codes>;
  /** The DC step of each quantisation table. */
  readonly steps: Map<number, number>;
}

/**
 * Returns true if entropy-coded data of a sequential JPEG (SOF0, SOF1) is missing or corrupt. Follows the codes of
 * every block without computing samples. A wrong bit desynchronises the codes, which soon gives an undefined code, a
 * block of more than 64 places, an impossible DC value, or an end in the wrong place. Common decoders draw such blocks as
 * noise and mostly report nothing.
 */
export function isScanDamaged(bytes: Uint8Array, structure: JpegStructure): boolean {
  const tables: Tables = { codes: new Map(), steps: new Map() };
  let interval = 0;
  const seen = new Set<number>();
  for (const segment of structure.segments) {
    if (segment.marker === DHT) readCodes(bytes, segment, tables.codes);
    if (segment.marker === DQT) readSteps(bytes, segment, tables.steps);
    if (segment.marker === DRI && segment.end - segment.body >= 4)
      interval = (bytes[segment.body + 2]! << 8) | bytes[segment.body + 3]!;
    if (segment.marker !== SOS) continue;
    const scan = readScan(bytes, segment, structure, tables);
    if (scan === undefined || !new ScanWalk(bytes, segment.end).isWhole(scan, interval)) return true;
    for (const id of scan.ids) seen.add(id);
  }
  return structure.components.some(({ id }) => !seen.has(id));
}

interface Scan {
  readonly ids: readonly number[];
  /** Minimum coded units. */
  readonly units: number;
  /** The blocks of one unit. */
  readonly blocks: readonly Block[];
}

function readScan(
  bytes: Uint8Array,
  { body, end }: JpegSegment,
  { components, width, height, precision }: JpegStructure,
  { codes, steps }: Tables,
): Scan | undefined {
  const count = bytes[body + 2] ?? 0;
  if (count < 1 || body + 3 + 2 * count > end) return undefined;
  const ids: number[] = [];
  const blocks: Block[] = [];
  const [across, down] = [
    Math.max(...components.map((component) => component.across)),
    Math.max(...components.map((component) => component.down)),
  ];
  let units = Math.ceil(width / (8 * across)) * Math.ceil(height / (8 * down));
  for (let index = 0; index < count; index++) {
    const [id, choice] = [bytes[body + 3 + 2 * index]!, bytes[body + 4 + 2 * index]!];
    const component = components.find((candidate) => candidate.id === id);
    const [dc, ac] = [codes.get(choice >> 4), codes.get(0x10 | (choice & 15))];
    if (!component || !dc || !ac || component.across < 1 || component.down < 1) return undefined;
    ids.push(id);
    const single = count === 1;
    // A scan of one component has no units of several blocks, and none beyond the picture's edge.
    if (single) {
      units =
        Math.ceil(Math.ceil((width * component.across) / across) / 8) *
        Math.ceil(Math.ceil((height * component.down) / down) / 8);
    }
    // Allow two steps more: encoders round, and some overshoot.
    const most = 2 ** (precision + 2) / Math.max(1, steps.get(component.steps) ?? 1) + 2;
    for (let block = single ? 1 : component.across * component.down; block > 0; block--)
      blocks.push({ dc, ac, component: index, most });
  }
  return { ids, units, blocks };
}

/** Reads one scan bit by bit, from its first byte to the next marker. */
class ScanWalk {
  private bits = 0;
  private held = 0;
  /** Held bits that stand in for missing data. */
  private missing = 0;
  private readonly means = new Int32Array(4);

  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
  ) {}

  isWhole({ units, blocks }: Scan, interval: number): boolean {
    let restarts = 0;
    for (let unit = 0; unit < units; unit++) {
      if (interval > 0 && unit > 0 && unit % interval === 0 && !this.restart(restarts++ & 7)) return false;
      for (let block = 0; block < blocks.length; block++) if (!this.block(blocks[block]!)) return false;
    }
    return this.isAtEnd();
  }

  /** Reads one block of 64 places; returns false if a code is invalid or the data ends early. */
  private block({ dc, ac, component, most }: Block): boolean {
    if (this.held < 25) this.fill();
    let entry = dc.short[(this.bits >>> (this.held - LOOK)) & 1023]! || this.longCode(dc);
    if (entry === 0) return false;
    const mean = (this.means[component]! += this.difference(entry & 255, (entry >> 8) & 255));
    if (mean > most || mean < -most) return false;
    this.skip(entry & 255);
    const { short, several } = ac;
    for (let place = 1; place < 64;) {
      if (this.held < 25) this.fill();
      const step = several[(this.bits >>> (this.held - WIDE_LOOK)) & WIDE_MASK]!;
      const next = place + ((step >> 8) & 0xffff);
      if (step !== 0 && next < 64) {
        this.held -= step & 255;
        if (step >= END_OF_BLOCK) break;
        place = next;
        continue;
      }
      entry = short[(this.bits >>> (this.held - LOOK)) & 1023]! || this.longCode(ac);
      if (entry === 0) return false;
      this.skip(entry & 255);
      place += (entry >> 8) & 255;
      if (place > 64 && entry < END_OF_BLOCK) return false;
    }
    return this.held >= this.missing;
  }

  /** Returns the value in the last `size` of the next `bits` bits; 0 if fewer are held. */
  private difference(bits: number, size: number): number {
    if (size === 0 || bits > this.held) return 0;
    const value = (this.bits >>> (this.held - bits)) & ((1 << size) - 1);
    return value >> (size - 1) ? value : value - (1 << size) + 1;
  }

  private skip(bits: number): void {
    // Code and value may be longer than what is held at once.
    if (bits > this.held) {
      bits -= this.held;
      this.held = 0;
      this.fill();
    }
    this.held -= bits;
  }

  /** Holds at least 25 bits. */
  private fill(): void {
    const { bytes } = this;
    while (this.held < 25) {
      const byte = this.at < bytes.length ? bytes[this.at]! : 0xff;
      if (byte !== 0xff) {
        this.bits = (this.bits << 8) | byte;
        this.at += 1;
      } else if (bytes[this.at + 1] === 0) {
        this.bits = (this.bits << 8) | 0xff;
        this.at += 2;
      } else {
        this.bits <<= 8;
        this.missing += 8;
      }
      this.held += 8;
    }
  }

  /** Returns the entry of a code of more than `LOOK` bits; 0 if there is none. */
  private longCode({ first, count, offset, entries }: Codes): number {
    for (let length = LOOK + 1; length <= 16; length++) {
      const place = ((this.bits >>> (this.held - length)) & ((1 << length) - 1)) - first[length]!;
      if (place >= 0 && place < count[length]!) return entries[offset[length]! + place]!;
    }
    return 0;
  }

  private restart(number: number): boolean {
    if (!this.isAtEnd()) return false;
    while (this.bytes[this.at] === 0xff && this.bytes[this.at + 1] === 0xff) this.at += 1;
    if (this.bytes[this.at + 1] !== (0xd0 | number)) return false;
    this.at += 2;
    this.bits = this.held = this.missing = 0;
    this.means.fill(0);
    return true;
  }

  /** Moves to the next marker; returns true if nothing but padding stood before it. */
  private isAtEnd(): boolean {
    const unread = (this.held - this.missing) >> 3;
    const from = this.at - unread;
    while (this.at < this.bytes.length) {
      const next = this.bytes.indexOf(0xff, this.at);
      this.at = next === -1 ? this.bytes.length : next;
      if (this.bytes[this.at + 1] !== 0) break;
      this.at += 2;
    }
    const left = this.bytes.subarray(from, this.at);
    return left.length <= PADDING || left.every((byte) => byte === left[0]);
  }
}

function readSteps(bytes: Uint8Array, { body, end }: JpegSegment, steps: Map<number, number>): void {
  for (let at = body + 2; at + 65 <= end;) {
    const wide = bytes[at]! >> 4 > 0;
    steps.set(bytes[at]! & 15, wide ? (bytes[at + 1]! << 8) | bytes[at + 2]! : bytes[at + 1]!);
    at += wide ? 129 : 65;
  }
}
