/** The bedroom and its wardrobe. */
import { curtain, lamp, picture } from './furnishings.mjs';
import { Scene, TALL, WIDE, shade } from './scene.mjs';

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
