import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Declared here, because Node's types do not. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/**
 * The C functions of HarfBuzz. The package's own JavaScript has a top-level await, which CommonJS cannot load, and frees
 * fonts by garbage collection; fonts here live as long as their thread.
 */
interface HarfBuzz {
  readonly memory: Memory;
  __wasm_call_ctors(): void;
  malloc(bytes: number): number;
  hb_blob_create(data: number, length: number, mode: number, userData: number, destroy: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_font_create(face: number): number;
  hb_font_get_glyph_h_advance(font: number, glyph: number): number;
  hb_buffer_create(): number;
  hb_buffer_set_flags(buffer: number, flags: number): void;
  hb_buffer_set_cluster_level(buffer: number, level: number): void;
  hb_buffer_clear_contents(buffer: number): void;
  hb_buffer_add_utf16(buffer: number, text: number, length: number, offset: number, count: number): void;
  hb_buffer_set_direction(buffer: number, direction: number): void;
  hb_buffer_set_script(buffer: number, script: number): void;
  hb_buffer_get_length(buffer: number): number;
  hb_buffer_get_glyph_infos(buffer: number, length: number): number;
  hb_buffer_get_glyph_positions(buffer: number, length: number): number;
  hb_shape(font: number, buffer: number, features: number, count: number): void;
}

/** A shaped glyph, in the font's units; `cluster` is the offset at which its characters begin. */
export interface ShapedGlyph {
  readonly id: number;
  readonly cluster: number;
  /** The advance in the font file. */
  readonly width: number;
  readonly advance: number;
  readonly dx: number;
  readonly dy: number;
}

export interface Shaping {
  readonly rightToLeft: boolean;
  /** The script's code in ISO 15924. */
  readonly script: string;
}

const READ_ONLY = 1;
const LEFT_TO_RIGHT = 4;
const RIGHT_TO_LEFT = 5;
/** Leaves the zero-width glyph of a joiner in the run, so that the joiner is extracted with the text. */
const PRESERVE_DEFAULT_IGNORABLES = 4;
/** Gives a letter and its mark their own clusters, unless they are reordered or drawn as one. */
const MONOTONE_CHARACTERS = 1;
const PAGE_BYTES = 65_536;
/** Size of a glyph info and of a glyph position. */
const RECORD_BYTES = 20;
const FEATURE_BYTES = 16;
/** Optional ligatures, switched off so that a text search finds the fixed strings. */
const SWITCHED_OFF = ['liga', 'clig', 'dlig', 'hlig'];

const tagOf = (tag: string): number => Buffer.from(tag, 'latin1').readUInt32BE();

class Shaper {
  private readonly buffer: number;
  private readonly features: number;
  private text = 0;
  private textBytes = 0;

  constructor(private readonly hb: HarfBuzz) {
    this.buffer = hb.hb_buffer_create();
    hb.hb_buffer_set_flags(this.buffer, PRESERVE_DEFAULT_IGNORABLES);
    hb.hb_buffer_set_cluster_level(this.buffer, MONOTONE_CHARACTERS);
    this.features = this.allocate(SWITCHED_OFF.length * FEATURE_BYTES);
    SWITCHED_OFF.forEach((feature, index) => {
      const words = new Uint32Array(hb.memory.buffer, this.features + index * FEATURE_BYTES, 4);
      words.set([tagOf(feature), 0, 0, 0xffffffff]);
    });
  }

  open(bytes: Uint8Array): number {
    const { hb } = this;
    const data = this.allocate(bytes.length);
    new Uint8Array(hb.memory.buffer).set(bytes, data);
    const blob = hb.hb_blob_create(data, bytes.length, READ_ONLY, 0, 0);
    return hb.hb_font_create(hb.hb_face_create(blob, 0));
  }

  shape(font: number, text: string, { rightToLeft, script }: Shaping): ShapedGlyph[] {
    const { hb, buffer } = this;
    hb.hb_buffer_clear_contents(buffer);
    hb.hb_buffer_add_utf16(buffer, this.write(text), text.length, 0, text.length);
    hb.hb_buffer_set_direction(buffer, rightToLeft ? RIGHT_TO_LEFT : LEFT_TO_RIGHT);
    hb.hb_buffer_set_script(buffer, tagOf(script));
    hb.hb_shape(font, buffer, this.features, SWITCHED_OFF.length);
    return this.read(font);
  }

  private read(font: number): ShapedGlyph[] {
    const { hb, buffer } = this;
    const [infos, positions] = [
      hb.hb_buffer_get_glyph_infos(buffer, 0),
      hb.hb_buffer_get_glyph_positions(buffer, 0),
    ];
    const memory = new DataView(hb.memory.buffer);
    const int = (at: number): number => memory.getInt32(at, true);
    return Array.from({ length: hb.hb_buffer_get_length(buffer) }, (_, index) => {
      const [info, position] = [infos + index * RECORD_BYTES, positions + index * RECORD_BYTES];
      const id = int(info);
      return {
        id,
        cluster: int(info + 8),
        width: hb.hb_font_get_glyph_h_advance(font, id),
        advance: int(position),
        dx: int(position + 8),
        dy: int(position + 12),
      };
    });
  }

  private write(text: string): number {
    if (text.length * 2 > this.textBytes) {
      this.textBytes = Math.max(1_024, text.length * 4);
      this.text = this.allocate(this.textBytes);
    }
    const units = new Uint16Array(this.hb.memory.buffer, this.text, text.length);
    for (let index = 0; index < text.length; index += 1) units[index] = text.charCodeAt(index);
    return this.text;
  }

  private allocate(bytes: number): number {
    const address = this.hb.malloc(bytes);
    if (address === 0) throw new Error(`No memory for ${bytes} bytes of the shaper.`);
    return address;
  }
}

let shaper: Shaper | undefined;

/** Returns the shaper of this thread, which starts with the first text that needs it. */
function startedShaper(): Shaper {
  if (shaper) return shaper;
  const file = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz.wasm');
  const fail = (): never => {
    throw new Error('The shaper gave up.');
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), {
    env: {
      _abort_js: fail,
      _setitimer_js: () => 0,
      _emscripten_runtime_keepalive_clear: () => undefined,
      emscripten_resize_heap: (bytes: number) => Number(grow(hb.memory, bytes >>> 0)),
    },
    wasi_snapshot_preview1: { proc_exit: fail },
  });
  const hb = exports as HarfBuzz;
  hb.__wasm_call_ctors();
  return (shaper = new Shaper(hb));
}

function grow(memory: Memory, bytes: number): boolean {
  try {
    memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES));
    return true;
  } catch {
    return false;
  }
}

/** Shapes texts in a font, each of one script and direction, into glyphs in visual order. */
export type ShapeText = (text: string, shaping: Shaping) => readonly ShapedGlyph[];

/** Opens a font for the shaper, which copies its bytes. */
export function openShapedFont(bytes: Uint8Array): ShapeText {
  const opened = startedShaper();
  const font = opened.open(bytes);
  return (text, shaping) => opened.shape(font, text, shaping);
}
