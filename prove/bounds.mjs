/**
 * Attacks whose cost grows with earlier or other input, each alone on a new service, beside a probe: the service lives,
 * its process tree takes at most 600 MB more than idle, health answers, and others are served. The attacker runs on one
 * core. `PROVE_ATTACKS` selects some by comma-separated parts of their names.
 */
import './support/short-sizes.mjs';
import { attacks, closeTarget } from './support/attacks.mjs';
import { bounded } from './support/bounded.mjs';
import { databaseKinds } from './support/place.mjs';
import { Proof } from './support/report.mjs';

const named = process.env.PROVE_ATTACKS?.split(',');
const proof = new Proof('prove:bounds');
for (const kind of await databaseKinds()) {
  for (const attack of attacks)
    if (!named || named.some((name) => attack.name.includes(name))) await bounded(proof, kind, attack);
}
closeTarget();
proof.end();
