import { readdirSync, readFileSync } from 'node:fs';

/** Returns the parent of a process, or nothing if it has ended. */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]);
  } catch {
    return undefined;
  }
}

/** Returns a process and all its descendants. */
function treeOf(root) {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)]);
  const tree = [root];
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  return tree;
}

/** Returns its proportional set size, in which shared memory counts once over all processes. */
function proportionOf(pid) {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Returns the memory of a process and its descendants, in MB (PSS). */
export const treeMb = (pid) => treeOf(pid).reduce((sum, each) => sum + proportionOf(each), 0);

/** Reading the memory of a large process takes the kernel some milliseconds. */
const LOOK_MS = 50;

/** Watches the memory of a process tree during a task: the peak counts, not only the end. */
export class PeakMemory {
  constructor(pid) {
    this.pid = pid;
    this.before = treeMb(pid);
    this.peak = this.before;
    this.timer = setInterval(() => this.look(), LOOK_MS);
  }

  look() {
    this.peak = Math.max(this.peak, treeMb(this.pid));
  }

  /** Ends watching; returns by how many MB the peak exceeded the beginning. */
  end() {
    this.look();
    clearInterval(this.timer);
    return Math.round(this.peak - this.before);
  }
}
