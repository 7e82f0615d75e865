/** The living room, and the wall with its radiator. */
import { curtain, lamp, picture } from './furnishings.mjs';
import { Scene, WIDE, shade } from './scene.mjs';

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
