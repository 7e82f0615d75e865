/** The hallway and the garden. */
import { Scene, TALL, WIDE, shade } from './scene.mjs';

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
