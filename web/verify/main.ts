import { checkApart } from './check-apart.js';
import { showBusy, showTrouble, showVerdict } from './show-verdict.js';

/** A larger file is no report: a thousand photographs are a third of it. */
const MOST_BYTES = 512 * 1024 * 1024;

const find = <Found extends HTMLElement>(id: string): Found => document.getElementById(id) as Found;

/** By fingerprint, how each was named: that of the service which serves this page, and those that the reader types. */
const trusted = new Map<string, string>();
const ofService = {
  'seal-key': 'the key of this service',
  'signing-key': 'the key that signs for this service',
};
for (const [name, told] of Object.entries(ofService)) {
  const { content } = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)!;
  if (!/^[0-9a-f]{64}$/.test(content)) continue;
  trusted.set(content, told);
  if (name === 'signing-key') find('signs').hidden = false;
}

let chosen: File | undefined;
/** Stops what is being checked. */
let stop: () => void = () => undefined;

async function check(): Promise<void> {
  const file = chosen;
  stop();
  if (!file) return;
  const result = find('result');
  if (file.size > MOST_BYTES)
    return showTrouble(result, `${file.name} is larger than 512 MB: it is no report.`);
  showBusy(result, file.name);
  const run = checkApart(file, trusted);
  stop = run.stop;
  const found = await run.verdict;
  if (found === 'stopped') return;
  if (typeof found === 'string') showTrouble(result, `${file.name} could not be checked: ${found}.`);
  else showVerdict(result, file.name, found);
}

function choose(files: FileList | null | undefined): void {
  if (!files?.[0]) return;
  chosen = files[0];
  void check();
}

function trust(text: string): void {
  const fingerprint = text.replace(/[\s:]/g, '').toLowerCase();
  const fault = find('key-fault');
  fault.hidden = /^[0-9a-f]{64}$/.test(fingerprint);
  if (!fault.hidden) {
    fault.textContent =
      'A fingerprint is 64 digits and letters from a to f. Ask the maker of the report for it.';
    return;
  }
  if (!trusted.has(fingerprint)) {
    trusted.set(fingerprint, 'by the fingerprint that you typed');
    const item = document.createElement('li');
    item.textContent = fingerprint;
    find('keys').append(item);
  }
  find<HTMLInputElement>('key').value = '';
  void check();
}

const input = find<HTMLInputElement>('file');
input.addEventListener('change', () => {
  choose(input.files);
  // So that the same file can be chosen once more.
  input.value = '';
});
find('trust').addEventListener('submit', (event) => {
  event.preventDefault();
  trust(find<HTMLInputElement>('key').value);
});

const drop = find('drop');
for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'] as const) {
  // Anywhere on the page: a file beside the frame would be opened in place of the page.
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle('over', name === 'dragenter' || name === 'dragover');
    if (name === 'drop') choose(event.dataTransfer?.files);
  });
}
