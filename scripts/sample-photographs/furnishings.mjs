/** Things that stand or hang in more than one room. */
import { shade } from './scene.mjs';

export function lamp(s, [x, y, z]) {
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

export function picture(s, [x, y, z], [w, h], colour) {
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

export function curtain(s, [x, y, z], [w, h], colour, lean) {
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
