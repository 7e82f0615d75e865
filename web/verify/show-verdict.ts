import type { Verdict } from '../../scripts/verify/check-report.mjs';

const TITLES = {
  Unaltered: 'Unaltered',
  ALTERED: 'Altered',
  'NOT VOUCHED FOR': 'Sealed, but by a key that is not trusted here',
  'NO SEAL': 'Not sealed',
} as const;

const LOOKS = ['good', 'bad', 'unknown'] as const;

/** Replaces the frame's content. */
function fill(frame: HTMLElement, look: string, parts: readonly HTMLElement[]): void {
  frame.hidden = false;
  frame.className = look;
  frame.replaceChildren(...parts);
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function list(title: string, lines: readonly string[]): HTMLElement[] {
  if (lines.length === 0) return [];
  const items = document.createElement('ul');
  items.append(...lines.map((line) => element('li', line)));
  return [element('h3', title), items];
}

export const showBusy = (frame: HTMLElement, name: string): void =>
  fill(frame, 'unknown', [element('p', `Checking ${name}…`)]);

export const showTrouble = (frame: HTMLElement, words: string): void =>
  fill(frame, 'bad', [element('h2', 'Not checked'), element('p', words)]);

export function showVerdict(frame: HTMLElement, name: string, verdict: Verdict): void {
  const { code, title, lines, revisions, pictures, report } = verdict;
  fill(frame, LOOKS[code], [
    element('h2', TITLES[title]),
    element('p', report === undefined ? name : `${name}: ${report}`),
    ...lines.map((line) => element('p', line.replace('name that one with --key', 'type that one below'))),
    ...list('After it was sealed', revisions),
    ...list('Photographs', [...pictures.faults, pictures.sentence]),
  ]);
}
