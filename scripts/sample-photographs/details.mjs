/** Meters, keys and detectors of the sample property: what a check-in report expects besides rooms. */
import { lettering } from './lettering.mjs';
import { Scene, shade } from './scene.mjs';

const TALL = { width: 1080, height: 1440, focal: 1000, eye: [0, 1.5, -1] };
const WIDE = { width: 1440, height: 1080, focal: 1000, eye: [0, 1.5, -1] };

/** A flat background: a wall or board with blotches, lit from the upper left. */
function surface(s, colour, { blotches = 60, size = 160 } = {}) {
  s.raw(
    `<rect width="${s.width}" height="${s.height}" fill="${s.gradient(shade(colour, 0.14), shade(colour, -0.22), { x2: 1, y2: 1 })}"/>`,
  );
  for (let blotch = 0; blotch < blotches; blotch++) {
    const tone = s.random() < 0.5 ? '#000' : '#fff';
    s.raw(
      `<ellipse cx="${s.random() * s.width}" cy="${s.random() * s.height}" rx="${s.random() * size}" ry="${s.random() * size * 0.6}" fill="${tone}" opacity="0.035" ${s.blur(16)}/>`,
    );
  }
  return s;
}

function roundedBox(s, x, y, w, h, r, colour, { depth = 26, from = 0.2, to = -0.15 } = {}) {
  s.raw(
    `<rect x="${x + depth}" y="${y + depth * 1.2}" width="${w}" height="${h}" rx="${r}" fill="#000" opacity="0.4" ${s.blur(18)}/>`,
  );
  s.raw(
    `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${r}" fill="${s.gradient(shade(colour, from), shade(colour, to), { x2: 0.7, y2: 1 })}" stroke="${shade(colour, -0.35)}" stroke-width="3"/>`,
  );
  s.raw(
    `<rect x="${x + 6}" y="${y + 6}" width="${w - 12}" height="${h - 12}" rx="${Math.max(2, r - 6)}" fill="none" stroke="${shade(colour, 0.55)}" stroke-width="3" opacity="0.5"/>`,
  );
  return s;
}

const screw = (s, x, y, r = 13) =>
  s.raw(
    `<circle cx="${x}" cy="${y}" r="${r}" fill="${s.radial('#e3e5e6', '#777c80')}" stroke="#555" stroke-width="1.5"/><line x1="${x - r * 0.7}" y1="${y - r * 0.3}" x2="${x + r * 0.7}" y2="${y + r * 0.3}" stroke="#444" stroke-width="3"/>`,
  );

/** A mechanical register: white figures on black drums, the last ones on red. */
function drums(s, x, y, figures, { w = 62, h = 92, red = 0 } = {}) {
  s.raw(
    `<rect x="${x - 12}" y="${y - 12}" width="${figures.length * w + 24}" height="${h + 24}" rx="6" fill="#1a1b1c" stroke="#777" stroke-width="3"/>`,
  );
  [...figures].forEach((figure, index) => {
    const base = index >= figures.length - red ? '#a3211d' : '#17181a';
    s.raw(
      `<rect x="${x + index * w + 2}" y="${y}" width="${w - 4}" height="${h}" fill="${s.gradient(shade(base, 0.28), base)}"/>`,
    );
    s.raw(
      lettering(figure, {
        x: x + index * w + w / 2,
        y: y + h * 0.78,
        size: h * 0.86,
        fill: '#f6f4ec',
        weight: 'bold',
        anchor: 'middle',
      }),
    );
  });
  s.raw(
    `<rect x="${x - 12}" y="${y - 12}" width="${figures.length * w + 24}" height="${(h + 24) * 0.4}" fill="#fff" opacity="0.12"/>`,
  );
  return s;
}

/** Seven-segment figures on grey-green glass. */
function display(s, x, y, figures, { w = 70, h = 124 } = {}) {
  const segments = [
    '1110111',
    '0010010',
    '1011101',
    '1011011',
    '0111010',
    '1101011',
    '1101111',
    '1010010',
    '1111111',
    '1111011',
  ];
  const bars = (t) => [
    [t, 0, w - 2 * t, t],
    [0, t, t, h / 2 - 1.5 * t],
    [w - t, t, t, h / 2 - 1.5 * t],
    [t, h / 2 - t / 2, w - 2 * t, t],
    [0, h / 2 + t / 2, t, h / 2 - 1.5 * t],
    [w - t, h / 2 + t / 2, t, h / 2 - 1.5 * t],
    [t, h - t, w - 2 * t, t],
  ];
  [...figures].forEach((figure, index) => {
    bars(13).forEach(([dx, dy, bw, bh], bar) => {
      const on = segments[Number(figure)][bar] === '1';
      s.raw(
        `<rect x="${x + index * (w + 22) + dx}" y="${y + dy}" width="${bw}" height="${bh}" rx="4" fill="#1d2a20" opacity="${on ? 0.92 : 0.05}"/>`,
      );
    });
  });
  return s;
}

function barcode(s, x, y, w, h) {
  for (let at = x; at < x + w; at += 3 + s.random() * 7)
    s.raw(`<rect x="${at}" y="${y}" width="${1.5 + s.random() * 4}" height="${h}" fill="#1b1b1b"/>`);
  return s;
}

export function electricityMeter() {
  const s = surface(new Scene({ ...TALL, seed: 71 }), '#a98d68', { blotches: 120 });
  for (let grain = 0; grain < 46; grain++) {
    const y = s.random() * 1440;
    s.raw(
      `<path d="M0 ${y}q360 ${(s.random() - 0.5) * 60} 720 0t720 0" stroke="#6d5433" stroke-width="${1 + s.random() * 3}" opacity="0.22" fill="none"/>`,
    );
  }
  for (const x of [390, 470, 600, 690])
    s.raw(
      `<path d="M${x} 1120q${(x - 540) * 0.3} 160 ${(x - 540) * 0.2} 340" stroke="${x < 500 ? '#8d8f90' : '#2c2d2f'}" stroke-width="38" fill="none"/>`,
    );
  roundedBox(s, 240, 210, 600, 760, 34, '#e4e3dc');
  roundedBox(s, 300, 960, 480, 190, 14, '#3b3d40', { depth: 14 });
  s.raw(`<rect x="305" y="300" width="470" height="230" rx="14" fill="#30343a"/>`);
  s.raw(
    `<rect x="322" y="318" width="436" height="194" rx="8" fill="${s.gradient('#b9c6ad', '#93a489', { x2: 1, y2: 1 })}"/>`,
  );
  display(s, 346, 344, '04731', { w: 56, h: 112 });
  s.raw(lettering('kWh', { x: 688, y: 500, size: 34, fill: '#1d2a20' }));
  s.raw(`<path d="M322 318h260l-150 194h-110Z" fill="#fff" opacity="0.13"/>`);
  s.raw(lettering('ELECTRICITY METER', { x: 540, y: 600, size: 44, weight: 'bold', anchor: 'middle' }));
  s.raw(
    lettering('230 V   50 Hz   20-100 A   Class B', {
      x: 540,
      y: 655,
      size: 31,
      anchor: 'middle',
      fill: '#444',
    }),
  );
  s.raw(`<rect x="380" y="690" width="320" height="150" rx="6" fill="#fbfbf7" stroke="#bbb"/>`);
  barcode(s, 400, 705, 280, 70);
  s.raw(lettering('E10 Z 0048 213', { x: 540, y: 818, size: 34, anchor: 'middle' }));
  s.raw(
    `<circle cx="330" cy="900" r="11" fill="#d9372c"/><circle cx="330" cy="900" r="34" fill="${s.radial('#ff5a4d', '#ff5a4d', { r: 0.5, innerOpacity: 0.6, outerOpacity: 0 })}"/>`,
  );
  s.raw(lettering('1000 imp/kWh', { x: 356, y: 910, size: 30, fill: '#555' }));
  for (const [x, y] of [
    [275, 245],
    [805, 245],
    [275, 935],
    [805, 935],
  ])
    screw(s, x, y);
  for (const [x, y] of [
    [340, 1010],
    [740, 1010],
  ])
    screw(s, x, y, 17);
  return s;
}

export function gasMeter() {
  const s = surface(new Scene({ ...TALL, seed: 72 }), '#8b8f90', { blotches: 140, size: 220 });
  const pipe = (path) =>
    s.raw(
      `<path d="${path}" stroke="#3c3a35" stroke-width="86" fill="none" stroke-linejoin="round"/><path d="${path}" stroke="#b98f3a" stroke-width="74" fill="none" stroke-linejoin="round"/><path d="${path}" stroke="#e6c677" stroke-width="16" fill="none" stroke-linejoin="round" transform="translate(-16 -8)" opacity="0.8"/>`,
    );
  pipe('M370 0V380');
  pipe('M710 0V380');
  s.raw(
    `<rect x="300" y="300" width="140" height="86" rx="8" fill="#77736a"/><rect x="640" y="300" width="140" height="86" rx="8" fill="#77736a"/>`,
  );
  s.raw(
    `<rect x="330" y="160" width="86" height="58" rx="8" fill="#55534d"/><rect x="230" y="172" width="150" height="30" rx="12" fill="#c33b2e"/>`,
  );
  roundedBox(s, 190, 370, 700, 760, 90, '#c9cac5');
  s.raw(
    `<path d="M195 760h690" stroke="#8a8b87" stroke-width="8"/><path d="M195 768h690" stroke="#f2f2ee" stroke-width="4"/>`,
  );
  s.raw(
    `<rect x="250" y="450" width="580" height="280" rx="18" fill="#f1f0ea" stroke="#6b6b66" stroke-width="4"/>`,
  );
  s.raw(lettering('GAS METER', { x: 540, y: 512, size: 46, weight: 'bold', anchor: 'middle' }));
  drums(s, 282, 540, '02846319', { w: 56, h: 84, red: 3 });
  s.raw(lettering('m³', { x: 752, y: 608, size: 46, weight: 'bold' }));
  s.raw(
    lettering('U6   Qmax 6 m³/h   Pmax 75 mbar', {
      x: 540,
      y: 702,
      size: 31,
      anchor: 'middle',
      fill: '#444',
    }),
  );
  s.raw(
    `<rect x="330" y="830" width="420" height="170" rx="8" fill="#f7e25a" stroke="#a38f1c" stroke-width="3"/>`,
  );
  s.raw(
    lettering('Smell gas? Turn off here', { x: 540, y: 890, size: 36, weight: 'bold', anchor: 'middle' }),
  );
  barcode(s, 380, 910, 320, 46);
  s.raw(lettering('G4 K 0017 5520', { x: 540, y: 988, size: 28, anchor: 'middle' }));
  for (const [x, y] of [
    [240, 790],
    [840, 790],
    [260, 1080],
    [820, 1080],
  ])
    screw(s, x, y, 15);
  s.raw(`<path d="M0 1240H1080V1440H0Z" fill="${s.gradient('#6b655c', '#4b463f')}"/>`);
  return s;
}

export function waterMeter() {
  const s = surface(new Scene({ ...WIDE, seed: 73 }), '#4d4a45', { blotches: 200, size: 120 });
  for (let stone = 0; stone < 420; stone++)
    s.raw(
      `<ellipse cx="${s.random() * 1440}" cy="${s.random() * 1080}" rx="${6 + s.random() * 22}" ry="${5 + s.random() * 16}" fill="${shade('#6b655b', (s.random() - 0.5) * 0.7)}" opacity="0.7"/>`,
    );
  s.raw(
    `<rect x="-20" y="470" width="1480" height="140" fill="${s.gradient('#d8b483', '#6d4a25')}"/><rect x="250" y="440" width="110" height="200" rx="12" fill="${s.gradient('#caa15f', '#6d4a25')}"/><rect x="1080" y="440" width="110" height="200" rx="12" fill="${s.gradient('#caa15f', '#6d4a25')}"/>`,
  );
  s.raw(
    `<circle cx="738" cy="568" r="372" fill="#000" opacity="0.5" ${s.blur(18)}/><circle cx="720" cy="540" r="360" fill="${s.gradient('#3f6f9c', '#1d3c5b')}"/><circle cx="720" cy="540" r="312" fill="${s.radial('#fbfaf4', '#dcdacd')}" stroke="#0f2236" stroke-width="8"/>`,
  );
  s.raw(lettering('WATER METER', { x: 720, y: 385, size: 48, weight: 'bold', anchor: 'middle' }));
  drums(s, 545, 430, '00381', { w: 70, h: 96 });
  s.raw(lettering('m³', { x: 925, y: 505, size: 52, weight: 'bold' }));
  s.raw(lettering('Q3 2.5   R160   2019', { x: 720, y: 595, size: 34, anchor: 'middle', fill: '#444' }));
  for (const [cx, cy, angle, label] of [
    [560, 690, 40, '×0.1'],
    [720, 755, 200, '×0.01'],
    [880, 690, 300, '×0.001'],
  ]) {
    s.raw(`<circle cx="${cx}" cy="${cy}" r="62" fill="#fff" stroke="#b3221d" stroke-width="4"/>`);
    for (let tick = 0; tick < 10; tick++)
      s.raw(
        `<line x1="${cx}" y1="${cy - 60}" x2="${cx}" y2="${cy - 48}" stroke="#b3221d" stroke-width="4" transform="rotate(${tick * 36} ${cx} ${cy})"/>`,
      );
    s.raw(
      `<path d="M${cx - 6} ${cy + 12}L${cx} ${cy - 46}L${cx + 6} ${cy + 12}Z" fill="#b3221d" transform="rotate(${angle} ${cx} ${cy})"/>`,
    );
    s.raw(lettering(label, { x: cx, y: cy + 40, size: 22, anchor: 'middle', fill: '#555' }));
  }
  s.raw(
    `<path d="M470 380a300 300 0 0 1 260-150l-40 130q-110 10-170 80Z" fill="#fff" opacity="0.28" ${s.blur(4)}/>`,
  );
  return s;
}

export function keys() {
  const s = surface(new Scene({ ...WIDE, seed: 74 }), '#7e5a39', { blotches: 40 });
  for (let grain = 0; grain < 70; grain++) {
    const y = s.random() * 1080;
    s.raw(
      `<path d="M0 ${y}q240 ${(s.random() - 0.5) * 40} 480 0t480 0t480 0" stroke="#4a3019" stroke-width="${1 + s.random() * 4}" opacity="0.25" fill="none"/>`,
    );
  }
  for (const y of [250, 560, 880])
    s.raw(`<rect y="${y}" width="1440" height="5" fill="#38230f" opacity="0.6"/>`);
  s.raw(
    `<circle cx="508" cy="388" r="120" fill="none" stroke="#000" stroke-width="20" opacity="0.4" ${s.blur(9)}/><circle cx="495" cy="370" r="120" fill="none" stroke="#9ba0a4" stroke-width="17"/><circle cx="495" cy="370" r="124" fill="none" stroke="#eef0f1" stroke-width="5"/>`,
  );
  key(s, 545, 480, 35, '#c9a84e');
  key(s, 470, 490, 82, '#c4c8cb');
  key(s, 590, 420, 2, '#b7bbbe');
  s.raw(
    `<g transform="translate(300 300) rotate(-24)"><rect x="-150" y="-64" width="190" height="130" rx="16" fill="#000" opacity="0.35" ${s.blur(9)} transform="translate(12 14)"/><rect x="-150" y="-64" width="190" height="130" rx="16" fill="${s.gradient('#f7f3e3', '#d8d2bb')}"/><circle cx="18" cy="0" r="14" fill="#6b4d30"/>${lettering('14', { x: -66, y: 20, size: 66, weight: 'bold', anchor: 'middle', fill: '#26324a' })}${lettering('Front', { x: -66, y: 52, size: 28, anchor: 'middle', fill: '#26324a' })}</g>`,
  );
  s.raw(
    `<g transform="translate(1010 620) rotate(18)"><rect x="-90" y="-120" width="180" height="250" rx="60" fill="#000" opacity="0.4" ${s.blur(12)} transform="translate(14 18)"/><rect x="-90" y="-120" width="180" height="250" rx="60" fill="${s.gradient('#4a4d52', '#191b1e')}"/><circle cx="0" cy="-70" r="26" fill="#7e5a39" stroke="#777" stroke-width="5"/><rect x="-44" y="-14" width="88" height="60" rx="12" fill="#2d6b4a"/><rect x="-44" y="58" width="88" height="44" rx="12" fill="#5a5d62"/></g>`,
  );
  s.raw(
    `<g transform="translate(1050 250) rotate(-8)"><rect x="-210" y="-120" width="420" height="240" fill="#000" opacity="0.35" ${s.blur(9)} transform="translate(10 12)"/><rect x="-210" y="-120" width="420" height="240" fill="#fbfaf5"/>${lettering('Keys handed over', { x: -180, y: -62, size: 44, weight: 'bold', fill: '#333' })}${lettering('2 × front door', { x: -180, y: -8, size: 38, fill: '#31456f' })}${lettering('1 × back door', { x: -180, y: 42, size: 38, fill: '#31456f' })}${lettering('1 × entrance fob', { x: -180, y: 92, size: 38, fill: '#31456f' })}</g>`,
  );
  return s;
}

function key(s, x, y, angle, colour) {
  const metal = s.gradient(shade(colour, 0.45), shade(colour, -0.3));
  const outline =
    'M0 -62a62 62 0 1 0 .1 0ZM0 -34a24 24 0 1 1 -.1 0Z M54 -18H360l22 20-22 22h-26l-14-20-20 26-24-22-18 18-22-24H54Z';
  s.raw(
    `<g transform="translate(${x} ${y}) rotate(${angle})"><path d="${outline}" fill="#000" opacity="0.45" fill-rule="evenodd" transform="translate(12 14)" ${s.blur(9)}/><path d="${outline}" fill="${metal}" fill-rule="evenodd" stroke="${shade(colour, -0.5)}" stroke-width="2.5"/><path d="M60 -4H350" stroke="${shade(colour, -0.45)}" stroke-width="4" opacity="0.6"/></g>`,
  );
}

export function smokeAlarm() {
  const s = surface(new Scene({ ...WIDE, seed: 75 }), '#dedcd4', { blotches: 150, size: 260 });
  s.raw(
    `<path d="M0 150L1440 60V0H0Z" fill="${s.gradient('#c9c6bd', '#b7b4aa')}"/><path d="M0 150L1440 60" stroke="#8f8c83" stroke-width="5"/>`,
  );
  s.raw(
    `<circle cx="760" cy="620" r="336" fill="#000" opacity="0.4" ${s.blur(18)}/><circle cx="720" cy="560" r="330" fill="${s.gradient('#fbfaf5', '#c6c3b8', { x2: 0.8, y2: 1 })}"/><circle cx="720" cy="552" r="268" fill="${s.gradient('#f6f5ef', '#dddad0', { x2: 0.7, y2: 1 })}" stroke="#b9b6ab" stroke-width="4"/>`,
  );
  for (let slot = 0; slot < 60; slot++)
    s.raw(
      `<rect x="712" y="256" width="15" height="48" rx="6" fill="#6c6a63" opacity="0.75" transform="rotate(${slot * 6} 720 556)"/>`,
    );
  s.raw(
    `<circle cx="720" cy="556" r="92" fill="${s.gradient('#fdfcf8', '#cfccc1', { x2: 0.7, y2: 1 })}" stroke="#a9a69b" stroke-width="4"/>`,
  );
  s.raw(lettering('TEST', { x: 720, y: 572, size: 46, weight: 'bold', anchor: 'middle', fill: '#6a675f' }));
  s.raw(
    lettering('SMOKE ALARM', { x: 720, y: 730, size: 38, weight: 'bold', anchor: 'middle', fill: '#6a675f' }),
  );
  s.raw(lettering('Replace by 06/2031', { x: 720, y: 772, size: 27, anchor: 'middle', fill: '#7d7a72' }));
  s.raw(
    `<circle cx="720" cy="400" r="12" fill="#47c25a"/><circle cx="720" cy="400" r="42" fill="${s.radial('#6dff86', '#6dff86', { r: 0.5, innerOpacity: 0.6, outerOpacity: 0 })}"/>`,
  );
  return s;
}
