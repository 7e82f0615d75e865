/** The kitchen and its sink. */
import { Scene, TALL, WIDE } from './scene.mjs';

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
