/** Refuses wrong values of the variables on the command line of `npm start`. Node's own message would not name them. */
const VARIABLES = [
  { name: 'MAX_HEAP_MB', least: 256, most: 1_000_000 },
  { name: 'UV_THREADPOOL_SIZE', least: 1, most: 1024 },
];

const faults = VARIABLES.filter(({ name, least, most }) => {
  const text = process.env[name] ?? '';
  const value = Number(text);
  return text !== '' && !(/^\d+$/.test(text) && value >= least && value <= most);
}).map(({ name, least, most }) => `  - ${name}: must be a whole number from ${least} to ${most}\n`);

if (faults.length > 0) {
  process.stderr.write(`The service cannot start:\n${faults.join('')}`);
  process.exitCode = 1;
}
