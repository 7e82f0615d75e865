/** The bathroom. */
import { Scene, WIDE } from './scene.mjs';

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
