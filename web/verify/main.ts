import { receiveDraggedFiles } from '../common/dragged-files.js';
import { checkApart } from './check-apart.js';
import { showBusy, showTrouble, showVerdict } from './show-verdict.js';

/** A larger file is not a report: a thousand photographs take a third of this. */
const MOST_BYTES = 512 * 1024 * 1024;

const find = <Found extends HTMLElement>(id: string): Found => document.getElementById(id) as Found;

/** Names of the trusted keys by fingerprint: the service's own, and those that the reader enters. */
const trusted = new Map<string, string>();
const ofService = {
  'seal-key': 'the key of this service',
  'signing-key': 'the key that signs for this service',
};
for (const [name, label] of Object.entries(ofService)) {
  const { content } = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)!;
  if (!/^[0-9a-f]{64}$/.test(content)) continue;
  trusted.set(content, label);
  if (name === 'signing-key') find('signs').hidden = false;
}

let chosen: File | undefined;
/** Cancels the current check. */
let stop: () => void = () => undefined;

async function check(): Promise<void> {
  const file = chosen;
  stop();
  if (!file) return;
  const result = find('result');
  if (file.size > MOST_BYTES)
    return showTrouble(result, `${file.name} is larger than 512 MB, so it is not a report.`);
  showBusy(result, file.name);
  const run = checkApart(file, trusted);
  stop = run.stop;
  const found = await run.verdict;
  if (found === 'stopped') return;
  if (typeof found === 'string') showTrouble(result, `${file.name} could not be checked: ${found}.`);
  else showVerdict(result, file.name, found);
}

function choose(files: readonly File[]): void {
  if (!files[0]) return;
  chosen = files[0];
  void check();
}

function trust(text: string): void {
  const fingerprint = text.replace(/[\s:]/g, '').toLowerCase();
  const fault = find('key-fault');
  fault.hidden = /^[0-9a-f]{64}$/.test(fingerprint);
  if (!fault.hidden) {
    fault.textContent =
      'A fingerprint has 64 characters: digits and the letters a to f. Ask the maker of the report for it.';
    return;
  }
  if (!trusted.has(fingerprint)) {
    trusted.set(fingerprint, 'the key whose fingerprint you entered');
    const item = document.createElement('li');
    item.textContent = fingerprint;
    find('keys').append(item);
  }
  find<HTMLInputElement>('key').value = '';
  void check();
}

const input = find<HTMLInputElement>('file');
input.addEventListener('change', () => {
  choose([...(input.files ?? [])]);
  // Allow the same file to be chosen again.
  input.value = '';
});
find('trust').addEventListener('submit', (event) => {
  event.preventDefault();
  trust(find<HTMLInputElement>('key').value);
});

// Anywhere on the page, not only on the frame.
receiveDraggedFiles({
  onOver: (isOver) => find('drop').classList.toggle('over', isOver),
  onDrop: choose,
});
