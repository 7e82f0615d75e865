/** The rooms of the sample property, each a function that answers a scene. */
import { Scene, shade } from './scene.mjs';

const WIDE = { width: 1440, height: 1080, focal: 1010 };
const TALL = { width: 1080, height: 1440, focal: 1130 };

export function kitchen() {
  const s = new Scene({ ...WIDE, eye: [0.35, 1.5, -1.1], seed: 11 });
  const [w, h, d] = [3.8, 2.4, 3.4];
  s.room({ w, h, d, wall: '#dcdccf', floor: '#a8a196' }).tiles({ w, d, colour: '#b3aca0', size: 0.45 });
  s.light(
    [
      [-1.2, 0, 0.6],
      [0.9, 0, 0.8],
      [0.7, 0, 2.4],
      [-0.9, 0, 2.3],
    ],
    0.3,
    26,
  );
  s.brickwork([-1.9, 0.92, d - 0.005], [3.8, 0.55], { colour: '#e6e7e2', grout: '#c2c1b9' });
  s.window([-0.62, 1.2, d - 0.01], [1.25, 0.9]);
  for (const x of [-1.9, -1.28]) cupboard(s, [x, 1.48, d - 0.34], [0.61, 0.72, 0.34], '#e9e6dc');
  for (const x of [0.78, 1.35]) cupboard(s, [x, 1.48, d - 0.34], [0.56, 0.72, 0.34], '#e9e6dc');
  for (const x of [-1.9, -1.28, -0.66, 0.58, 1.2])
    cupboard(s, [x, 0.1, d - 0.6], [0.61, 0.79, 0.6], '#8ca093');
  s.box([-0.05, 0.1, d - 0.61], [0.61, 0.79, 0.6], '#d9dadb', { shadow: false });
  s.panel([0.02, 0.18, d - 0.615], [0.47, 0.42], '#23262a', { from: 0.2, to: -0.3 });
  s.panel([0.02, 0.66, d - 0.62], [0.47, 0.02], '#9a9da0');
  for (let knob = 0; knob < 5; knob++) {
    const [x, y] = s.point([0.07 + knob * 0.095, 0.78, d - 0.62]);
    s.raw(`<circle cx="${x}" cy="${y}" r="8" fill="#3a3d40" stroke="#c9ccce" stroke-width="2"/>`);
  }
  s.box([-1.92, 0.89, d - 0.63], [3.84, 0.04, 0.63], '#6b4a30', { top: 0.22, shadow: false });
  s.face(
    [
      [-0.02, 0.935, d - 0.5],
      [0.56, 0.935, d - 0.5],
      [0.56, 0.935, d - 0.1],
      [-0.02, 0.935, d - 0.1],
    ],
    '#1c1d1f',
    0.25,
    0,
  );
  kettle(s, [-1.55, 0.93, d - 0.4]);
  for (const [x, colour] of [
    [0.95, '#b4573a'],
    [1.13, '#c98c4c'],
    [1.3, '#6e7f57'],
  ])
    s.box([x, 0.93, d - 0.28], [0.12, 0.2, 0.12], colour, { shadow: false });
  s.box([1.25, 0.1, 0.95], [0.62, 1.75, 0.66], '#dfe0e1');
  s.panel([1.27, 1.18, 0.945], [0.58, 0.65], '#e7e8e9', { inset: 0.01 });
  return s;
}

function cupboard(s, [x, y, z], [w, h, d], colour) {
  s.box([x, y, z], [w, h, d], colour, { shadow: false });
  s.panel([x + 0.015, y + 0.015, z - 0.004], [w - 0.03, h - 0.03], colour, { inset: 0.055 });
  const low = y < 1;
  s.panel([x + w - 0.09, low ? y + h - 0.2 : y + 0.08, z - 0.01], [0.018, 0.12], '#55585a', {
    from: 0.4,
    to: -0.2,
  });
}

function kettle(s, [x, y, z]) {
  const [left, low] = s.point([x, y, z]);
  const [right, high] = s.point([x + 0.2, y + 0.24, z]);
  const w = right - left;
  s.raw(
    `<path d="M${left} ${low}L${left + w * 0.14} ${high}H${right - w * 0.14}L${right} ${low}Z" fill="${s.gradient('#f4f5f6', '#73777b', { x2: 1, y2: 0.2 })}"/>` +
      `<path d="M${right - w * 0.1} ${high + 8}q${w * 0.5} 8 ${w * 0.3} ${(low - high) * 0.75}" fill="none" stroke="#2b2d2f" stroke-width="7"/>`,
  );
}

export function kitchenSink() {
  const s = new Scene({ ...TALL, focal: 1180, horizon: 300, eye: [0, 1.75, -0.1], seed: 12 });
  s.room({ w: 2.6, h: 2.4, d: 1.55, wall: '#dcdccf', floor: '#a8a196' });
  s.brickwork([-1.3, 0.92, 1.54], [2.6, 0.72], { colour: '#e6e7e2', tile: [0.15, 0.075], grout: '#bfbeb6' });
  s.window([-0.5, 1.58, 1.535], [1.0, 0.6]);
  s.box([-1.3, 0, 0.95], [2.6, 0.88, 0.6], '#8ca093', { shadow: false });
  for (const x of [-0.62, 0.0]) cupboard(s, [x, 0.06, 0.945], [0.61, 0.79, 0.01], '#8ca093');
  s.box([-1.3, 0.88, 0.92], [2.6, 0.045, 0.63], '#6b4a30', { top: 0.2, shadow: false });
  const y = 0.927;
  s.face(
    [
      [-0.55, y, 1.03],
      [0.5, y, 1.03],
      [0.5, y, 1.45],
      [-0.55, y, 1.45],
    ],
    '#b9bdc0',
    0.35,
    0,
  );
  s.face(
    [
      [-0.12, y, 1.07],
      [0.44, y, 1.07],
      [0.4, y, 1.4],
      [-0.08, y, 1.4],
    ],
    '#6f7477',
    -0.1,
    0.35,
  );
  s.shadow(
    [
      [-0.1, y, 1.1],
      [0.15, y, 1.1],
      [0.1, y, 1.38],
      [-0.06, y, 1.38],
    ],
    0.35,
    12,
  );
  const [plugX, plugY] = s.point([0.18, y, 1.22]);
  s.raw(
    `<ellipse cx="${plugX}" cy="${plugY}" rx="26" ry="15" fill="#2f3234" stroke="#d5d8da" stroke-width="5"/>`,
  );
  for (let line = 0; line < 7; line++) {
    const x = -0.5 + line * 0.05;
    const [[x1, y1], [x2, y2]] = [s.point([x, y, 1.08]), s.point([x, y, 1.4])];
    s.raw(`<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#8d9295" stroke-width="5"/>`);
  }
  const [tapX, tapY] = s.point([0.16, y, 1.46]);
  const steel = s.gradient('#f6f8f9', '#6d7275', { x2: 1, y2: 0 });
  s.raw(
    `<path d="M${tapX} ${tapY}v-190q4-80 70-70q34 8 30 70v26" fill="none" stroke="#5c6164" stroke-width="34" stroke-linecap="round"/>` +
      `<path d="M${tapX - 3} ${tapY}v-190q4-78 70-68q34 8 30 68v22" fill="none" stroke="#dfe3e5" stroke-width="15" stroke-linecap="round"/>` +
      `<rect x="${tapX - 34}" y="${tapY - 16}" width="68" height="24" rx="8" fill="${steel}"/>` +
      `<rect x="${tapX - 96}" y="${tapY - 96}" width="78" height="18" rx="9" fill="${steel}"/>`,
  );
  s.box([-1.0, 0.925, 1.2], [0.09, 0.22, 0.09], '#5f9e63', { shadow: false });
  s.box([-0.99, 1.145, 1.21], [0.05, 0.05, 0.05], '#f3f3ef', { shadow: false });
  return s;
}

export function livingRoom() {
  const s = new Scene({ ...WIDE, eye: [-0.4, 1.45, -1.3], seed: 21 });
  const [w, h, d] = [4.8, 2.5, 4.2];
  s.room({ w, h, d, wall: '#cfd6d2', floor: '#9a7350', leftLight: 0.12 });
  s.boards({ w, d, colour: '#a47b56' }).skirting({ w, d });
  s.light(
    [
      [-2.2, 0, 1],
      [-0.4, 0, 1.2],
      [0.2, 0, 3.2],
      [-1.7, 0, 3.1],
    ],
    0.32,
    24,
  );
  s.window([-2.0, 0.95, d - 0.01], [1.5, 1.2], { bars: 3 });
  for (const [x, lean] of [
    [-2.28, 1],
    [-0.48, -1],
  ])
    curtain(s, [x, 0.1, d - 0.08], [0.3, 2.2], '#7d8b97', lean);
  picture(s, [0.62, 1.4, d - 0.02], [0.95, 0.66], '#385468');
  s.face(
    [
      [-1.3, 0.01, 0.9],
      [1.3, 0.01, 0.9],
      [1.2, 0.01, 2.6],
      [-1.2, 0.01, 2.6],
    ],
    '#8a4f45',
    -0.08,
    0.1,
  );
  s.quad(
    [
      [-1.16, 0.012, 1.0],
      [1.16, 0.012, 1.0],
      [1.07, 0.012, 2.5],
      [-1.07, 0.012, 2.5],
    ],
    'none',
    'stroke="#d9c6a8" stroke-width="5" opacity="0.7"',
  );
  sofa(s, [0.1, 0, 3.05]);
  s.box([-1.75, 0, 3.3], [0.46, 0.5, 0.42], '#7b5637');
  lamp(s, [-1.52, 0.5, 3.45]);
  s.box([-0.55, 0.34, 1.5], [1.1, 0.05, 0.6], '#6a472c', { top: 0.26 });
  for (const [x, z] of [
    [-0.52, 1.52],
    [0.48, 1.52],
    [-0.52, 2.04],
    [0.48, 2.04],
  ])
    s.box([x, 0, z], [0.05, 0.34, 0.05], '#54381f');
  s.box([-0.2, 0.39, 1.7], [0.28, 0.03, 0.2], '#3f6c7a', { shadow: false });
  s.box([-0.18, 0.42, 1.71], [0.25, 0.025, 0.18], '#b8a04c', { shadow: false });
  s.box([1.95, 0, 1.6], [0.42, 1.9, 1.1], '#7b5637');
  for (const y of [0.35, 0.75, 1.15, 1.5]) books(s, y);
  return s;
}

function books(s, y) {
  s.face(
    [
      [1.95, y + 0.3, 1.65],
      [1.95, y + 0.3, 2.65],
      [1.95, y, 2.65],
      [1.95, y, 1.65],
    ],
    '#3c2a1b',
    0,
    -0.1,
  );
  const colours = ['#8c3b34', '#2f5d62', '#c6a15b', '#4b4a6b', '#66794a', '#b9b2a3'];
  for (let z = 1.68; z < 2.5; z += 0.06) {
    const tall = 0.2 + s.random() * 0.07;
    const colour = colours[Math.floor(s.random() * colours.length)];
    s.quad(
      [
        [1.945, y + tall, z],
        [1.945, y + tall, z + 0.05],
        [1.945, y, z + 0.05],
        [1.945, y, z],
      ],
      shade(colour, -0.15),
    );
  }
}

function sofa(s, [x, , z]) {
  const cloth = '#5f6f80';
  s.box([x, 0.12, z + 0.65], [2.0, 0.76, 0.22], cloth);
  s.box([x, 0.1, z], [2.0, 0.32, 0.8], cloth);
  s.box([x + 0.2, 0.4, z - 0.02], [0.79, 0.14, 0.7], shade(cloth, 0.1), { shadow: false });
  s.box([x + 1.01, 0.4, z - 0.02], [0.79, 0.14, 0.7], shade(cloth, 0.1), { shadow: false });
  s.box([x, 0.1, z - 0.03], [0.2, 0.54, 0.85], shade(cloth, 0.04), { shadow: false });
  s.box([x + 1.8, 0.1, z - 0.03], [0.2, 0.54, 0.85], shade(cloth, 0.04), { shadow: false });
  s.box([x + 0.3, 0.54, z + 0.35], [0.4, 0.34, 0.12], '#c9a24a', { shadow: false });
  s.box([x + 1.35, 0.54, z + 0.38], [0.38, 0.32, 0.12], '#d8d3c6', { shadow: false });
}

function lamp(s, [x, y, z]) {
  s.box([x - 0.06, y, z], [0.12, 0.22, 0.1], '#d8d2c2', { shadow: false });
  const [a, b, c, e] = [
    [x - 0.1, y + 0.46, z],
    [x + 0.1, y + 0.46, z],
    [x + 0.17, y + 0.2, z],
    [x - 0.17, y + 0.2, z],
  ];
  const [cx, cy] = s.point([x, y + 0.3, z]);
  s.raw(
    `<circle cx="${cx}" cy="${cy}" r="150" fill="${s.radial('#ffe9b0', '#ffe9b0', { r: 0.5, innerOpacity: 0.5, outerOpacity: 0 })}"/>`,
  );
  s.face([a, b, c, e], '#f6e3b4', 0.3, 0);
}

function picture(s, [x, y, z], [w, h], colour) {
  s.shadow(
    [
      [x - 0.02, y + h, z],
      [x + w + 0.06, y + h, z],
      [x + w + 0.06, y - 0.06, z],
      [x - 0.02, y - 0.06, z],
    ],
    0.3,
    8,
  );
  s.panel([x, y, z], [w, h], '#2a221a');
  s.panel([x + 0.05, y + 0.05, z], [w - 0.1, h - 0.1], '#f1ede2');
  s.panel([x + 0.13, y + 0.12, z], [w - 0.26, h - 0.24], colour, { from: 0.5, to: -0.1 });
  const hill = (level, tone) => {
    const points = [[x + 0.13, y + 0.12, z]];
    for (let step = 0; step <= 10; step++)
      points.push([
        x + 0.13 + ((w - 0.26) * step) / 10,
        y + level + Math.sin(step * 0.9 + level * 30) * 0.035,
        z,
      ]);
    s.quad([...points, [x + w - 0.13, y + 0.12, z]], tone);
  };
  hill(h * 0.48, shade(colour, 0.1));
  hill(h * 0.34, shade(colour, -0.35));
}

function curtain(s, [x, y, z], [w, h], colour, lean) {
  const folds = 6;
  for (let fold = 0; fold < folds; fold++) {
    const [left, right] = [x + (w * fold) / folds, x + (w * (fold + 1)) / folds];
    s.quad(
      [
        [left, y + h, z],
        [right, y + h, z],
        [right + 0.02 * lean, y, z],
        [left + 0.02 * lean, y, z],
      ],
      s.gradient(shade(colour, 0.22), shade(colour, -0.3), { x2: 1, y2: 0 }),
    );
  }
}

export function livingRoomRadiator() {
  const s = new Scene({ ...WIDE, focal: 1250, eye: [0.2, 1.15, -0.6], seed: 22 });
  const [w, h, d] = [5, 2.5, 2.1];
  s.room({ w, h, d, wall: '#cfd6d2', floor: '#9a7350' })
    .boards({ w, d, colour: '#a47b56' })
    .skirting({ w, d });
  s.light(
    [
      [-0.9, 1.9, d],
      [0.1, 1.9, d],
      [0.5, 0.6, d],
      [-0.4, 0.6, d],
    ],
    0.3,
    30,
  );
  s.shadow(
    [
      [-0.75, 0.78, d],
      [0.9, 0.78, d],
      [0.9, 0.14, d],
      [-0.75, 0.14, d],
    ],
    0.35,
    14,
  );
  s.panel([-0.8, 0.18, d - 0.08], [1.6, 0.6], '#f3f2ee');
  for (let rib = 0; rib < 24; rib++)
    s.panel([-0.79 + rib * 0.066, 0.2, d - 0.085], [0.035, 0.56], '#f7f6f2', { from: 0.3, to: -0.2 });
  s.box([-0.82, 0.78, d - 0.12], [1.64, 0.02, 0.1], '#f7f6f2', { shadow: false });
  s.box([-0.92, 0.16, d - 0.08], [0.08, 0.1, 0.06], '#dddcd6', { shadow: false });
  s.box([0.86, 0, d - 0.06], [0.03, 0.2, 0.03], '#b06f43', { shadow: false });
  s.box([-0.9, 0, d - 0.06], [0.03, 0.17, 0.03], '#b06f43', { shadow: false });
  scuff(s, [1.25, 0.45, d - 0.005]);
  socket(s, [1.55, 0.32, d - 0.01]);
  picture(s, [-0.55, 1.25, d - 0.02], [1.1, 0.62], '#7a5a48');
  return s;
}

/** Marks on a wall: what an inspector remarks on. */
function scuff(s, [x, y, z]) {
  for (let line = 0; line < 16; line++) {
    const [sx, sy] = s.point([x + s.random() * 0.16 - 0.08, y + s.random() * 0.14 - 0.07, z]);
    const length = 15 + s.random() * 55;
    const slope = (s.random() - 0.5) * 18;
    s.raw(
      `<path d="M${sx} ${sy}q${length / 2} ${slope} ${length} ${slope * 0.4}" stroke="#5b534a" stroke-width="${1 + s.random() * 3}" opacity="${0.25 + s.random() * 0.3}" fill="none" ${s.blur(1)}/>`,
    );
  }
}

function socket(s, [x, y, z]) {
  s.shadow(
    [
      [x, y + 0.09, z],
      [x + 0.16, y + 0.09, z],
      [x + 0.16, y - 0.01, z],
      [x, y - 0.01, z],
    ],
    0.3,
    5,
  );
  s.panel([x, y, z], [0.15, 0.088], '#f8f8f6', { inset: 0.004 });
  for (const at of [0.037, 0.11])
    for (const [dx, dy, w, h] of [
      [0, 0.056, 0.006, 0.014],
      [-0.014, 0.028, 0.012, 0.006],
      [0.012, 0.028, 0.012, 0.006],
    ])
      s.panel([x + at + dx - w / 2, y + dy, z - 0.001], [w, h], '#3a3a3a');
}

export function bedroom() {
  const s = new Scene({ ...WIDE, eye: [0.5, 1.5, -1.2], seed: 31 });
  const [w, h, d] = [4.0, 2.4, 3.9];
  s.room({ w, h, d, wall: '#d9d0c7', floor: '#b9aa97', rightLight: 0.06, leftLight: -0.08 });
  s.skirting({ w, d });
  s.light(
    [
      [0.4, 0, 0.6],
      [1.9, 0, 0.9],
      [1.9, 0, 2.6],
      [0.8, 0, 2.4],
    ],
    0.25,
    30,
  );
  s.window([0.75, 0.95, d - 0.01], [1.0, 1.15]);
  for (const [x, lean] of [
    [0.45, 1],
    [1.78, -1],
  ])
    curtain(s, [x, 0.12, d - 0.07], [0.26, 2.12], '#98785f', lean);
  picture(s, [-1.35, 1.5, d - 0.02], [0.8, 0.5], '#7b6f9a');
  s.box([-1.75, 0, d - 0.14], [1.9, 1.12, 0.1], '#6d5640');
  s.box([-1.7, 0, d - 2.15], [1.8, 0.3, 2.0], '#6d5640');
  s.box([-1.68, 0.3, d - 2.15], [1.76, 0.24, 1.98], '#f2f0ea', { shadow: false });
  for (const x of [-1.55, -0.68]) {
    s.box([x, 0.54, d - 0.62], [0.72, 0.16, 0.44], '#fbfaf6', { shadow: false });
    s.shadow(
      [
        [x, 0.55, d - 0.66],
        [x + 0.72, 0.55, d - 0.66],
        [x + 0.7, 0.55, d - 0.58],
        [x, 0.55, d - 0.58],
      ],
      0.25,
      6,
    );
  }
  s.box([-1.72, 0.28, d - 2.18], [1.84, 0.29, 1.25], '#6f8796', { top: 0.18, shadow: false });
  for (let stripe = 0; stripe < 9; stripe++) {
    const x = -1.62 + stripe * 0.2;
    s.quad(
      [
        [x, 0.572, d - 2.18],
        [x + 0.05, 0.572, d - 2.18],
        [x + 0.05, 0.572, d - 0.93],
        [x, 0.572, d - 0.93],
      ],
      '#d8dfe2',
      'opacity="0.55"',
    );
  }
  s.box([0.22, 0, d - 0.52], [0.42, 0.52, 0.4], '#6d5640');
  s.panel([0.24, 0.3, d - 0.525], [0.38, 0.18], '#7a6249', { inset: 0.015 });
  lamp(s, [0.43, 0.52, d - 0.35]);
  s.box([1.42, 0, 1.3], [0.58, 0.78, 1.2], '#e8e3d8');
  return s;
}

export function wardrobe() {
  const s = new Scene({ ...TALL, eye: [-0.15, 1.4, -1.2], seed: 32 });
  const [w, h, d] = [3.2, 2.4, 2.5];
  s.room({ w, h, d, wall: '#d9d0c7', floor: '#b9aa97' }).skirting({ w, d });
  s.box([-0.95, 0, d - 0.62], [1.5, 2.12, 0.6], '#e6e0d2');
  s.panel([-0.93, 0.08, d - 0.63], [0.73, 2.0], '#e9e4d7', { inset: 0.07 });
  s.face(
    [
      [-0.18, 2.08, d - 0.63],
      [0.53, 2.08, d - 0.63],
      [0.53, 0.08, d - 0.63],
      [-0.18, 0.08, d - 0.63],
    ],
    '#2b241c',
    0,
    0.05,
  );
  s.quad(
    [
      [-0.16, 1.88, d - 0.62],
      [0.51, 1.88, d - 0.62],
      [0.51, 1.86, d - 0.62],
      [-0.16, 1.86, d - 0.62],
    ],
    '#a9adb0',
  );
  const clothes = ['#7a2f35', '#2f4b66', '#d8d2c3', '#58694d', '#3a3a42', '#b88d4c', '#8094a6'];
  clothes.forEach((colour, index) => {
    const x = -0.14 + index * 0.088;
    const long = 0.7 + s.random() * 0.4;
    s.quad(
      [
        [x + 0.02, 1.84, d - 0.62],
        [x + 0.07, 1.84, d - 0.62],
        [x + 0.095, 1.84 - long, d - 0.62],
        [x - 0.005, 1.84 - long, d - 0.62],
      ],
      s.gradient(shade(colour, 0.15), shade(colour, -0.4), { x2: 1, y2: 0 }),
    );
  });
  s.box([-0.12, 0.1, d - 0.6], [0.28, 0.14, 0.2], '#6b4c33', { shadow: false });
  s.box([0.2, 0.1, d - 0.6], [0.26, 0.1, 0.2], '#23262a', { shadow: false });
  s.face(
    [
      [0.53, 2.08, d - 0.63],
      [0.95, 2.08, d - 1.18],
      [0.95, 0.06, d - 1.18],
      [0.53, 0.08, d - 0.63],
    ],
    '#ddd6c6',
    0.02,
    -0.12,
  );
  s.panel([-0.26, 1.0, d - 0.64], [0.02, 0.2], '#6a6c6d', { from: 0.4 });
  return s;
}

export function bathroom() {
  const s = new Scene({ ...WIDE, eye: [0.1, 1.5, -1.0], seed: 41 });
  const [w, h, d] = [2.9, 2.4, 2.7];
  s.room({ w, h, d, wall: '#e3e8e8', floor: '#70777a' }).tiles({
    w,
    d,
    colour: '#6f777b',
    size: 0.3,
    grout: 0.3,
  });
  s.brickwork([-1.45, 0, d - 0.004], [2.9, 2.0], {
    colour: '#eef1f0',
    tile: [0.3, 0.15],
    grout: '#c9cecd',
    gap: 2,
  });
  s.window([-0.35, 1.35, d - 0.01], [0.8, 0.75], { view: '#dfe8ea' });
  s.face(
    [
      [-1.44, 0.56, 0.5],
      [-0.72, 0.56, 0.5],
      [-0.72, 0.56, d - 0.02],
      [-1.44, 0.56, d - 0.02],
    ],
    '#f8f9f9',
    0,
    -0.05,
  );
  s.box([-1.44, 0, 0.5], [0.72, 0.55, d - 0.52], '#f3f4f4');
  s.face(
    [
      [-1.38, 0.561, 0.6],
      [-0.78, 0.561, 0.6],
      [-0.78, 0.561, d - 0.14],
      [-1.38, 0.561, d - 0.14],
    ],
    '#cdd3d4',
    -0.2,
    0.3,
  );
  s.box([-1.14, 0.56, d - 0.1], [0.05, 0.1, 0.05], '#aeb4b7', { shadow: false });
  s.box([-1.02, 0.56, d - 0.1], [0.05, 0.1, 0.05], '#aeb4b7', { shadow: false });
  basin(s, [0.62, 0, d - 0.02]);
  toilet(s, [-0.35, 0, d - 0.05]);
  const mirror = [
    [0.5, 1.95, d - 0.02],
    [1.22, 1.95, d - 0.02],
    [1.22, 1.2, d - 0.02],
    [0.5, 1.2, d - 0.02],
  ];
  s.shadow(mirror, 0.3, 10);
  s.quad(mirror, s.gradient('#f4f8f9', '#9fb0b6', { x2: 1, y2: 1 }), 'stroke="#b9bfc1" stroke-width="6"');
  s.quad(
    [
      [0.58, 1.95, d - 0.02],
      [0.74, 1.95, d - 0.02],
      [0.66, 1.2, d - 0.02],
      [0.5, 1.2, d - 0.02],
    ],
    '#fff',
    'opacity="0.35"',
  );
  s.box([1.3, 0.75, 1.5], [0.08, 0.03, 0.6], '#b9bfc1', { shadow: false });
  s.face(
    [
      [1.36, 0.77, 1.55],
      [1.36, 0.77, 2.05],
      [1.36, 0.3, 2.05],
      [1.36, 0.3, 1.55],
    ],
    '#6c9c9a',
    0.15,
    -0.15,
  );
  return s;
}

function basin(s, [x, , z]) {
  const white = '#f7f8f8';
  const [left, top] = s.point([x - 0.06, 0.86, z - 0.4]);
  const [right, low] = s.point([x + 0.5, 0.7, z - 0.4]);
  const [pl, pt] = s.point([x + 0.14, 0.72, z - 0.25]);
  const [pr, pb] = s.point([x + 0.3, 0, z - 0.25]);
  s.shadow(
    [
      [x + 0.05, 0, z - 0.4],
      [x + 0.42, 0, z - 0.4],
      [x + 0.42, 0, z],
      [x + 0.05, 0, z],
    ],
    0.4,
    10,
  );
  s.raw(
    `<path d="M${pl} ${pt}H${pr}L${pr - 6} ${pb}H${pl + 6}Z" fill="${s.gradient(white, '#c3c9ca', { x2: 1, y2: 0 })}"/>` +
      `<path d="M${left} ${top}H${right}Q${right} ${low + 30} ${(left + right) / 2} ${low + 36}Q${left} ${low + 30} ${left} ${top}Z" fill="${s.gradient(white, '#cdd3d4')}"/>` +
      `<ellipse cx="${(left + right) / 2}" cy="${top - 6}" rx="${(right - left) / 2}" ry="24" fill="#fbfcfc" stroke="#d3d8d9" stroke-width="3"/>` +
      `<ellipse cx="${(left + right) / 2}" cy="${top - 5}" rx="${(right - left) * 0.38}" ry="15" fill="${s.gradient('#b8c0c2', '#eef1f1')}"/>` +
      `<path d="M${(left + right) / 2} ${top - 24}v-34q0-14 26-8" stroke="#a5acaf" stroke-width="13" fill="none" stroke-linecap="round"/>`,
  );
}

function toilet(s, [x, , z]) {
  s.box([x - 0.22, 0.4, z - 0.2], [0.44, 0.42, 0.18], '#f6f7f7', { shadow: false });
  const [cx, seatY] = s.point([x, 0.42, z - 0.45]);
  const [edge] = s.point([x + 0.22, 0.42, z - 0.45]);
  const [, floorY] = s.point([x, 0, z - 0.45]);
  const r = edge - cx;
  s.shadow(
    [
      [x - 0.2, 0, z - 0.65],
      [x + 0.24, 0, z - 0.65],
      [x + 0.24, 0, z - 0.1],
      [x - 0.2, 0, z - 0.1],
    ],
    0.45,
    10,
  );
  s.raw(
    `<path d="M${cx - r} ${seatY}Q${cx - r} ${floorY - 90} ${cx - r * 0.55} ${floorY}H${cx + r * 0.55}Q${cx + r} ${floorY - 90} ${cx + r} ${seatY}Z" fill="${s.gradient('#f7f8f8', '#c6cccd', { x2: 1, y2: 0.3 })}"/>` +
      `<ellipse cx="${cx}" cy="${seatY}" rx="${r * 1.04}" ry="${r * 0.42}" fill="#fdfdfd" stroke="#d5dadb" stroke-width="4"/>`,
  );
}

export function hallway() {
  const s = new Scene({ ...TALL, focal: 1150, eye: [0.05, 1.5, -0.9], seed: 51 });
  const [w, h, d] = [1.5, 2.5, 5.6];
  s.room({ w, h, d, wall: '#e4ddcb', floor: '#8d6b4b' }).boards({ w, d, colour: '#8f6c4a', width: 0.12 });
  s.skirting({ w, d, height: 0.15 });
  for (const [x, z] of [
    [-0.75, 1.5],
    [-0.75, 3.6],
    [0.75, 2.4],
  ])
    sideDoor(s, x, z);
  s.panel([-0.48, 0, d - 0.01], [0.96, 2.12], '#f4f2ec');
  s.panel([-0.41, 0, d - 0.02], [0.82, 2.03], '#2f4a3f', { inset: 0.09 });
  s.panel([-0.3, 1.3, d - 0.03], [0.26, 0.55], '#dfe9ea', { from: 0.5, to: 0.1 });
  s.panel([0.04, 1.3, d - 0.03], [0.26, 0.55], '#dfe9ea', { from: 0.5, to: 0.1 });
  s.panel([-0.12, 0.98, d - 0.03], [0.24, 0.05], '#c8a85a', { from: 0.4, to: -0.2 });
  const glow = s.point([0, 1.5, d]);
  s.raw(
    `<circle cx="${glow[0]}" cy="${glow[1]}" r="260" fill="${s.radial('#fffbe8', '#fffbe8', { r: 0.5, innerOpacity: 0.55, outerOpacity: 0 })}"/>`,
  );
  s.light(
    [
      [-0.3, 0.01, 2.8],
      [0.3, 0.01, 2.8],
      [0.4, 0.01, 5.4],
      [-0.4, 0.01, 5.4],
    ],
    0.35,
    12,
  );
  s.face(
    [
      [-0.36, 0.012, 0.4],
      [0.36, 0.012, 0.4],
      [0.36, 0.012, 4.4],
      [-0.36, 0.012, 4.4],
    ],
    '#6d2f2f',
    -0.1,
    0.2,
  );
  const [lx, ly] = s.point([0, 2.42, 2.2]);
  s.raw(
    `<ellipse cx="${lx}" cy="${ly}" rx="64" ry="20" fill="#fffdf2" opacity="0.95"/><ellipse cx="${lx}" cy="${ly}" rx="180" ry="90" fill="${s.radial('#fff6d8', '#fff6d8', { r: 0.5, innerOpacity: 0.6, outerOpacity: 0 })}"/>`,
  );
  return s;
}

function sideDoor(s, x, z) {
  const inward = x < 0 ? 0.005 : -0.005;
  const at = (from, to, low, high) => [
    [x + inward, high, from],
    [x + inward, high, to],
    [x + inward, low, to],
    [x + inward, low, from],
  ];
  s.face(at(z - 0.06, z + 0.86, 0, 2.1), '#f1eee5', 0, -0.14);
  s.face(at(z, z + 0.8, 0, 2.04), '#ded8ca', 0, -0.16);
  for (const [low, high] of [
    [0.2, 0.9],
    [1.05, 1.9],
  ])
    s.quad(at(z + 0.14, z + 0.66, low, high), 'none', 'stroke="#9b927f" stroke-width="3"');
  const [hx, hy] = s.point([x + inward * 8, 1.02, z + (x < 0 ? 0.08 : 0.72)]);
  s.raw(`<circle cx="${hx}" cy="${hy}" r="11" fill="${s.radial('#f3e2ad', '#8a6b2c')}"/>`);
}

export function garden() {
  const s = new Scene({ ...WIDE, eye: [0, 1.6, -1], horizon: 470, seed: 61 });
  s.raw(`<rect width="1440" height="480" fill="${s.gradient('#8fb7dd', '#dcebf4')}"/>`);
  for (let puff = 0; puff < 22; puff++) {
    const [x, y] = [s.random() * 1440, 40 + s.random() * 190];
    s.raw(
      `<ellipse cx="${x}" cy="${y}" rx="${70 + s.random() * 130}" ry="${18 + s.random() * 26}" fill="#fff" opacity="0.5" ${s.blur(16)}/>`,
    );
  }
  s.raw(`<rect y="465" width="1440" height="615" fill="${s.gradient('#7d9c55', '#55793a')}"/>`);
  foliage(s, 40, [0, 1440], [250, 430], '#4d6b3a', [50, 90]);
  for (let x = -7.5; x < 7.5; x += 0.15) {
    const tone = shade('#9b7448', (s.random() - 0.5) * 0.22);
    s.face(
      [
        [x, 1.75, 8],
        [x + 0.14, 1.75, 8],
        [x + 0.14, 0, 8],
        [x, 0, 8],
      ],
      tone,
      0.06,
      -0.2,
    );
  }
  s.shadow(
    [
      [-7.5, 0, 7.4],
      [7.5, 0, 7.4],
      [7.5, 0, 8],
      [-7.5, 0, 8],
    ],
    0.4,
    10,
  );
  s.box([2.1, 0, 6.1], [1.7, 1.9, 1.2], '#7c5a3b');
  s.face(
    [
      [1.95, 1.85, 5.95],
      [3.95, 1.85, 5.95],
      [3.75, 2.4, 6.8],
      [2.15, 2.4, 6.8],
    ],
    '#4c4a47',
    0.1,
    -0.1,
  );
  s.panel([2.55, 0, 6.09], [0.75, 1.65], '#6a4b30', { inset: 0.06 });
  for (let blade = 0; blade < 5200; blade++) {
    const z = 0.4 + (1 - Math.sqrt(s.random())) * 7.2;
    const x = (s.random() - 0.5) * (2.4 + z * 1.6);
    const [px, py] = s.point([x, 0, z]);
    const long = 46 / (z + 1);
    s.raw(
      `<path d="M${px.toFixed(0)} ${py.toFixed(0)}l${((s.random() - 0.5) * long * 0.6).toFixed(1)} ${(-long).toFixed(1)}" stroke="${shade('#6f934a', (s.random() - 0.5) * 0.5)}" stroke-width="${(4.5 / (z + 0.6)).toFixed(1)}" opacity="0.75"/>`,
    );
  }
  for (let slab = 0; slab < 7; slab++) {
    const z = 0.5 + slab * 0.95;
    const x = -1.15 + Math.sin(slab * 0.5) * 0.25;
    s.shadow(
      [
        [x - 0.03, 0, z - 0.03],
        [x + 0.78, 0, z - 0.03],
        [x + 0.78, 0, z + 0.72],
        [x - 0.03, 0, z + 0.72],
      ],
      0.3,
      5,
    );
    s.face(
      [
        [x, 0.01, z],
        [x + 0.75, 0.01, z],
        [x + 0.75, 0.01, z + 0.7],
        [x, 0.01, z + 0.7],
      ],
      '#b5aea0',
      -0.05,
      0.1,
    );
  }
  foliage(s, 26, [-40, 330], [420, 640], '#55803f', [40, 75]);
  for (let flower = 0; flower < 46; flower++) {
    const colour = ['#d4574f', '#e9c24a', '#b06fb5', '#f3efe6'][Math.floor(s.random() * 4)];
    s.raw(
      `<circle cx="${s.random() * 330}" cy="${430 + s.random() * 240}" r="${5 + s.random() * 6}" fill="${colour}"/>`,
    );
  }
  return s;
}

function foliage(s, count, [x0, x1], [y0, y1], colour, [small, large]) {
  for (let leaf = 0; leaf < count; leaf++) {
    const [x, y] = [x0 + s.random() * (x1 - x0), y0 + s.random() * (y1 - y0)];
    const r = small + s.random() * (large - small);
    for (let dab = 0; dab < 26; dab++) {
      const [dx, dy] = [(s.random() - 0.5) * 2 * r, (s.random() - 0.5) * 1.6 * r];
      s.raw(
        `<ellipse cx="${(x + dx).toFixed(0)}" cy="${(y + dy).toFixed(0)}" rx="${(r * 0.28).toFixed(0)}" ry="${(r * 0.2).toFixed(0)}" fill="${shade(colour, (s.random() - 0.45) * 0.5 - dy / r / 6)}" opacity="0.85"/>`,
      );
    }
  }
}
