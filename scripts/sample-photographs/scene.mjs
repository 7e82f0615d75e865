/** A pinhole camera over axis-aligned boxes: metres in, SVG out. Things are painted in the order they are added. */

/** Seeded, so that the same pictures come out every time (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `#rrggbb` lighter (amount > 0) or darker (amount < 0); 1 is white, -1 black. */
export function shade(colour, amount) {
  const channels = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const target = amount > 0 ? 255 : 0;
  const mixed = channels.map((value) => Math.round(value + (target - value) * Math.abs(amount)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** A telephone held across and upright, for a room. */
export const WIDE = { width: 1440, height: 1080, focal: 1010 };
export const TALL = { width: 1080, height: 1440, focal: 1130 };

const NEAR = 0.25;

export class Scene {
  /** `eye` looks along +z; `focal` is in pixels; `horizon` is the eye level's row. */
  constructor({ width, height, focal, eye, horizon = height * 0.48, centre = width / 2, seed = 1 }) {
    Object.assign(this, { width, height, focal, eye, horizon, centre });
    this.random = randomFrom(seed);
    this.defs = [];
    this.body = [];
  }

  point([x, y, z]) {
    const depth = Math.max(NEAR, z - this.eye[2]);
    return [
      this.centre + (this.focal * (x - this.eye[0])) / depth,
      this.horizon - (this.focal * (y - this.eye[1])) / depth,
    ];
  }

  path(points) {
    const flat = points.map((point) => (point.length === 3 ? this.point(point) : point));
    return `M${flat.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
  }

  raw(svg) {
    this.body.push(svg);
    return this;
  }

  gradient(from, to, { x1 = 0, y1 = 0, x2 = 0, y2 = 1 } = {}) {
    const id = `g${this.defs.length}`;
    this.defs.push(
      `<linearGradient id="${id}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">` +
        `<stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`,
    );
    return `url(#${id})`;
  }

  radial(inner, outer, { cx = 0.5, cy = 0.5, r = 0.6, innerOpacity = 1, outerOpacity = 1 } = {}) {
    const id = `g${this.defs.length}`;
    this.defs.push(
      `<radialGradient id="${id}" cx="${cx}" cy="${cy}" r="${r}">` +
        `<stop offset="0" stop-color="${inner}" stop-opacity="${innerOpacity}"/>` +
        `<stop offset="1" stop-color="${outer}" stop-opacity="${outerOpacity}"/></radialGradient>`,
    );
    return `url(#${id})`;
  }

  blur(amount) {
    const id = `b${String(amount).replace('.', '_')}`;
    if (!this.defs.some((def) => def.includes(`id="${id}"`)))
      this.defs.push(
        `<filter id="${id}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${amount}"/></filter>`,
      );
    return `filter="url(#${id})"`;
  }

  quad(points, fill, extra = '') {
    return this.raw(`<path d="${this.path(points)}" fill="${fill}" ${extra}/>`);
  }

  /** A plane figure with a gradient from its own colour, as light that falls off. */
  face(points, colour, from = 0.06, to = -0.12, direction) {
    return this.quad(points, this.gradient(shade(colour, from), shade(colour, to), direction));
  }

  /** The darkness that a thing throws on what it stands on. */
  shadow(points, opacity = 0.35, softness = 10) {
    return this.quad(points, '#000', `opacity="${opacity}" ${this.blur(softness)}`);
  }

  /** Light that falls on a surface. */
  light(points, opacity = 0.25, softness = 18, colour = '#fff6dd') {
    return this.quad(points, colour, `opacity="${opacity}" ${this.blur(softness)}`);
  }

  /** A box from its near lower left corner; only the sides that the eye can see are drawn. */
  box([x, y, z], [w, h, d], colour, { top = 0.16, side = -0.28, front = 0, shadow = true } = {}) {
    const [X, Y, Z] = [x + w, y + h, z + d];
    if (shadow && y < 0.02)
      this.shadow(
        [
          [x - 0.06, 0, z - 0.1],
          [X + 0.08, 0, z - 0.1],
          [X + 0.1, 0, Z],
          [x - 0.05, 0, Z],
        ],
        0.4,
        9,
      );
    if (this.eye[1] > Y)
      this.face(
        [
          [x, Y, z],
          [X, Y, z],
          [X, Y, Z],
          [x, Y, Z],
        ],
        shade(colour, top),
        0.02,
        -0.06,
      );
    if (this.eye[1] < y)
      this.face(
        [
          [x, y, z],
          [X, y, z],
          [X, y, Z],
          [x, y, Z],
        ],
        shade(colour, -0.45),
        0,
        -0.1,
      );
    if (this.eye[0] < x)
      this.face(
        [
          [x, Y, z],
          [x, Y, Z],
          [x, y, Z],
          [x, y, z],
        ],
        shade(colour, side),
        0.05,
        -0.18,
      );
    if (this.eye[0] > X)
      this.face(
        [
          [X, Y, z],
          [X, Y, Z],
          [X, y, Z],
          [X, y, z],
        ],
        shade(colour, side),
        0.05,
        -0.18,
      );
    const lit = front < 0 ? shade(colour, front) : shade(colour, Math.max(front, 0.001));
    return this.face(
      [
        [x, Y, z],
        [X, Y, z],
        [X, y, z],
        [x, y, z],
      ],
      lit,
      0.05,
      -0.12,
    );
  }

  /** A rectangle on a plane that faces the eye. */
  panel([x, y, z], [w, h], colour, { from = 0.05, to = -0.08, inset = 0 } = {}) {
    const [X, Y] = [x + w, y + h];
    this.face(
      [
        [x, Y, z],
        [X, Y, z],
        [X, y, z],
        [x, y, z],
      ],
      colour,
      from,
      to,
    );
    if (inset > 0) {
      const corners = (by) => [
        [x + by, Y - by, z],
        [X - by, Y - by, z],
        [X - by, y + by, z],
        [x + by, y + by, z],
      ];
      this.quad(corners(inset), 'none', `stroke="${shade(colour, -0.3)}" stroke-width="2" opacity="0.8"`);
      this.quad(
        corners(inset + 0.012),
        'none',
        `stroke="${shade(colour, 0.5)}" stroke-width="1.5" opacity="0.6"`,
      );
    }
    return this;
  }

  /** Four walls seen from inside: back, left, right, floor, ceiling, with darker corners. */
  room({
    w,
    h,
    d,
    wall,
    floor,
    ceiling = '#f2efe8',
    leftLight = 0.08,
    rightLight = -0.1,
    near = this.eye[2],
  }) {
    const [l, r] = [-w / 2, w / 2];
    this.face(
      [
        [l, h, near],
        [r, h, near],
        [r, h, d],
        [l, h, d],
      ],
      ceiling,
      0.02,
      -0.14,
      { x1: 0, y1: 1, x2: 0, y2: 0 },
    );
    this.face(
      [
        [l, 0, near],
        [r, 0, near],
        [r, 0, d],
        [l, 0, d],
      ],
      floor,
      -0.12,
      0.06,
    );
    this.face(
      [
        [l, h, near],
        [l, h, d],
        [l, 0, d],
        [l, 0, near],
      ],
      shade(wall, leftLight),
      0.03,
      -0.16,
    );
    this.face(
      [
        [r, h, near],
        [r, h, d],
        [r, 0, d],
        [r, 0, near],
      ],
      shade(wall, rightLight),
      0.03,
      -0.2,
    );
    this.face(
      [
        [l, h, d],
        [r, h, d],
        [r, 0, d],
        [l, 0, d],
      ],
      wall,
      0.05,
      -0.1,
    );
    const corner = (a, b, width = 26, opacity = 0.2) => {
      const [[x1, y1], [x2, y2]] = [this.point(a), this.point(b)];
      this.raw(
        `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#2a2118" stroke-width="${width}" opacity="${opacity}" ${this.blur(14)}/>`,
      );
    };
    corner([l, 0, d], [l, h, d]);
    corner([r, 0, d], [r, h, d]);
    corner([l, h, d], [r, h, d], 22, 0.16);
    corner([l, 0, d], [r, 0, d], 30, 0.26);
    corner([l, 0, near], [l, 0, d]);
    corner([r, 0, near], [r, 0, d]);
    return this;
  }

  skirting({ w, d, height = 0.11, colour = '#f4f2ec', near = this.eye[2] }) {
    const [l, r] = [-w / 2, w / 2];
    this.face(
      [
        [l, height, near],
        [l, height, d],
        [l, 0, d],
        [l, 0, near],
      ],
      shade(colour, -0.08),
      0,
      -0.1,
    );
    this.face(
      [
        [r, height, near],
        [r, height, d],
        [r, 0, d],
        [r, 0, near],
      ],
      shade(colour, -0.16),
      0,
      -0.1,
    );
    this.panel([l, 0, d - 0.01], [w, height], colour);
    return this;
  }

  /** Boards that run away from the eye, each of its own tone. */
  boards({ w, d, colour, near = this.eye[2], width = 0.19, gap = true }) {
    for (let x = -w / 2; x < w / 2; x += width) {
      let z = near - this.random() * 1.2;
      while (z < d) {
        const end = Math.min(d, z + 0.9 + this.random() * 0.7);
        const right = Math.min(w / 2, x + width);
        const corners = [
          [x, 0, Math.max(near, z)],
          [right, 0, Math.max(near, z)],
          [right, 0, end],
          [x, 0, end],
        ];
        const tone = shade(colour, (this.random() - 0.5) * 0.2);
        const line = gap ? `stroke="${shade(colour, -0.5)}" stroke-width="0.8" stroke-opacity="0.55"` : '';
        if (end > near) this.quad(corners, tone, line);
        z = end;
      }
    }
    return this;
  }

  /** Square tiles on the floor. */
  tiles({ w, d, colour, size = 0.4, near = this.eye[2], grout = -0.3 }) {
    for (let x = -w / 2; x < w / 2; x += size)
      for (let z = Math.floor(near / size) * size; z < d; z += size) {
        const [X, Z] = [Math.min(w / 2, x + size), Math.min(d, z + size)];
        const from = Math.max(near, z);
        if (Z > from)
          this.quad(
            [
              [x, 0, from],
              [X, 0, from],
              [X, 0, Z],
              [x, 0, Z],
            ],
            shade(colour, (this.random() - 0.5) * 0.1),
            `stroke="${shade(colour, grout)}" stroke-width="1.6"`,
          );
      }
    return this;
  }

  /** Tiles on a wall that faces the eye, staggered like bricks. */
  brickwork([x, y, z], [w, h], { colour, tile = [0.2, 0.1], grout = '#d8d6d0', gap = 1.5 }) {
    this.panel([x, y, z], [w, h], grout, { from: 0, to: 0 });
    let row = 0;
    for (let low = y; low < y + h - 0.001; low += tile[1], row++)
      for (let left = x - (row % 2 ? tile[0] / 2 : 0); left < x + w; left += tile[0]) {
        const [a, b] = [Math.max(x, left), Math.min(x + w, left + tile[0])];
        const top = Math.min(y + h, low + tile[1]);
        if (b > a)
          this.quad(
            [
              [a, top, z],
              [b, top, z],
              [b, low, z],
              [a, low, z],
            ],
            shade(colour, (this.random() - 0.5) * 0.08),
            `stroke="${grout}" stroke-width="${gap}"`,
          );
      }
    return this;
  }

  /** A sash window in a wall that faces the eye, with a garden behind it and a blown-out sky. */
  window([x, y, z], [w, h], { frame = '#fbfaf6', bars = 2, view = '#7f9a63' } = {}) {
    this.panel([x - 0.07, y - 0.07, z], [w + 0.14, h + 0.14], frame, { from: 0, to: -0.12 });
    this.face(
      [
        [x, y + h, z],
        [x + w, y + h, z],
        [x + w, y, z],
        [x, y, z],
      ],
      '#e9f2f8',
      0.6,
      0,
    );
    const hedge = [[x, y + h * 0.34, z]];
    for (let step = 0; step <= 12; step++)
      hedge.push([x + (w * step) / 12, y + h * (0.3 + this.random() * 0.14), z]);
    this.quad(
      [...hedge, [x + w, y, z], [x, y, z]],
      this.gradient(shade(view, 0.42), shade(view, 0.12)),
      this.blur(2),
    );
    for (let bar = 1; bar < bars; bar++)
      this.panel([x + (w * bar) / bars - 0.02, y, z], [0.04, h], frame, { from: 0, to: -0.1 });
    this.panel([x, y + h * 0.52, z], [w, 0.035], frame, { from: 0, to: -0.15 });
    const [cx, cy] = this.point([x + w / 2, y + h / 2, z]);
    const [edge] = this.point([x + w, y, z]);
    const reach = (edge - cx) * 2.4;
    this.raw(
      `<ellipse cx="${cx}" cy="${cy}" rx="${reach}" ry="${reach}" fill="${this.radial('#ffffff', '#ffffff', { r: 0.5, innerOpacity: 0.5, outerOpacity: 0 })}"/>`,
    );
    return this;
  }

  svg() {
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}">` +
      `<defs>${this.defs.join('')}</defs>${this.body.join('')}</svg>`
    );
  }
}
