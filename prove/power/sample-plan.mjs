/** Chooses the states to open: after which operation, and with which loss. */
import { randomFrom } from '../support/random.mjs';

/**
 * Moment → the losses tried there. At full size every operation has one at least. A shorter sample has relatively more
 * of the risky states: right after an answer, with everything unsynced gone.
 */
export function samplePlan({ changes, dated, states, starts, seed, kinds }) {
  const random = randomFrom(seed);
  const plan = new Map();
  const chosen = [];
  const add = (moment, kind) => {
    const state = { kind };
    plan.set(moment, [...(plan.get(moment) ?? []), state]);
    chosen.push(state);
  };
  const left = () => states - chosen.length;
  const steps = changes.flatMap((changed, index) => (changed ? [index + 1] : []));
  const drawn = () => kinds[Math.floor(random() * kinds.length)];
  for (const { moment } of inTurn(dated, Math.floor(states * 0.6))) add(moment, 'everything');
  if (left() >= steps.length) for (const moment of steps) add(moment, drawn());
  while (left() > 0) add(steps[Math.floor(random() * steps.length)], drawn());
  const apart = chosen.length / Math.min(starts, chosen.length);
  for (let at = random() * apart; starts > 0 && at < chosen.length; at += apart)
    chosen[Math.floor(at)].started = true;
  return plan;
}

/** Chooses this many of them: from each kind in turn, the earliest of a kind first and then over the whole length. */
function inTurn(facts, count) {
  if (facts.length <= count) return facts;
  const kinds = new Map();
  for (const fact of facts) kinds.set(fact.kind, [...(kinds.get(fact.kind) ?? []), fact]);
  const taken = [];
  for (let round = 0; taken.length < count; round++) {
    for (const own of kinds.values()) if (round < own.length && taken.length < count) taken.push(own[round]);
  }
  return taken;
}
