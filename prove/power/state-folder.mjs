/** A folder that is changed from one state of the disk to the next, without rewriting equal contents. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { layout, STORE } from './layout.mjs';

export class StateFolder {
  /** Path below the folder → key of its present content. */
  lies = new Map();

  constructor(path) {
    this.path = path;
    this.place = layout(path);
  }

  show(files) {
    this.forgetAllButTheStore();
    for (const path of this.lies.keys()) {
      if (files.has(path)) continue;
      rmSync(join(this.path, path));
      this.lies.delete(path);
    }
    for (const [path, { key, content }] of files) {
      // Shared memory of live processes; SQLite recreates it.
      if (path.endsWith('-shm') || this.lies.get(path) === key) continue;
      mkdirSync(join(this.path, dirname(path)), { recursive: true });
      writeFileSync(join(this.path, path), content(), { mode: 0o600 });
      this.lies.set(path, key);
    }
  }

  /** Forgets all files but blobs: a service that was started here changes the others, and only adds blobs. */
  forgetAllButTheStore() {
    mkdirSync(join(this.path, STORE), { recursive: true });
    for (const name of readdirSync(this.path)) {
      if (!STORE.startsWith(`${name}/`)) rmSync(join(this.path, name), { recursive: true });
    }
    rmSync(join(this.path, STORE, 'drafts'), { recursive: true, force: true });
    for (const path of this.lies.keys())
      if (!path.startsWith(STORE) || path.startsWith(`${STORE}drafts/`)) this.lies.delete(path);
  }
}
