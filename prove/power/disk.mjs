/**
 * A file system with the guarantees of POSIX: the view of a program, and the part of it that is on the disk. A file's
 * content is on the disk as far as it was written before the start of a completed sync of this file; a name, once its
 * folder was synced after it. Everything else is pending: after a power cut each pending change may have landed or not,
 * a write in part.
 */

let newest = 0;

class DiskFile {
  constructor() {
    this.id = ++newest;
    this.seen = new Content();
    this.safe = new Content();
    /** Counts syncs that made changes durable. */
    this.version = 0;
    this.pending = [];
  }

  change(change) {
    apply(this.seen, change);
    this.pending.push(change);
  }

  /** Marks every change before this moment as durable. */
  makeSafe(moment) {
    let count = 0;
    while (count < this.pending.length && this.pending[count].at < moment)
      apply(this.safe, this.pending[count++]);
    if (count > 0) this.version++;
    this.pending.splice(0, count);
  }
}

class DiskFolder {
  constructor() {
    this.id = ++newest;
    this.seen = new Map();
    this.safe = new Map();
    this.pending = [];
  }

  change(change) {
    applyName(this.seen, change);
    this.pending.push(change);
  }

  makeSafe(moment) {
    let count = 0;
    while (count < this.pending.length && this.pending[count].at < moment) {
      const change = this.pending[count++];
      applyName(this.safe, change);
      change.safe = true;
    }
    this.pending.splice(0, count);
  }
}

/** Bytes that grow. */
export class Content {
  constructor(bytes = Buffer.alloc(0)) {
    this.store = bytes;
    this.size = bytes.length;
  }

  copy() {
    return new Content(Buffer.from(this.bytes));
  }

  get bytes() {
    return this.store.subarray(0, this.size);
  }

  write(offset, data) {
    this.resize(Math.max(this.size, offset + data.length));
    data.copy(this.store, offset);
  }

  resize(size) {
    if (size > this.store.length) {
      const larger = Buffer.alloc(Math.max(size, this.store.length * 2));
      this.bytes.copy(larger);
      this.store = larger;
    } else if (size < this.size) this.store.fill(0, size, this.size);
    this.size = size;
  }
}

export function apply(content, { data, offset, size }) {
  if (data) content.write(offset, data);
  else content.resize(size);
}

export function applyName(names, { name, node }) {
  if (node) names.set(name, node);
  else names.delete(name);
}

export class Disk {
  constructor() {
    this.root = new DiskFolder();
    /** Inode → file or folder; a reused inode gets the new one when its name appears. */
    this.nodes = new Map();
    this.begun = new Map();
    this.moment = 0;
  }

  /** Applies one record; returns true if it changed the possible states after a power cut. */
  take(record) {
    this.moment++;
    return this[record.kind]?.(record) ?? false;
  }

  open({ path, inode, number }) {
    if (path === '') {
      this.nodes.set(inode, this.root);
      return false;
    }
    const { folder, name } = this.place(path);
    let node = folder.seen.get(name);
    const isNew = node === undefined;
    if (isNew) this.name(folder, name, (node = new DiskFile()));
    this.nodes.set(inode, node);
    if (number & 2 && node.seen.size > 0) node.change({ at: this.moment, size: 0 });
    return isNew || (number & 2) > 0;
  }

  write({ inode, number, data }) {
    this.nodes.get(inode).change({ at: this.moment, offset: number, data });
    return true;
  }

  truncate({ inode, number }) {
    const node = this.nodes.get(inode);
    if (node.seen.size !== number) node.change({ at: this.moment, size: number });
    return true;
  }

  syncBegun({ number }) {
    this.begun.set(number, this.moment);
    return false;
  }

  synced({ inode, number }) {
    this.nodes.get(inode).makeSafe(this.begun.get(number));
    return true;
  }

  mkdir({ path }) {
    const { folder, name } = this.place(path);
    this.name(folder, name, new DiskFolder());
    return true;
  }

  link({ path, to }) {
    const source = this.place(path);
    const target = this.place(to);
    this.name(target.folder, target.name, source.folder.seen.get(source.name));
    return true;
  }

  /** The old name disappears only together with the arrival of the new one: a file is never at neither. */
  rename({ path, to }) {
    const source = this.place(path);
    const target = this.place(to);
    const added = this.name(target.folder, target.name, source.folder.seen.get(source.name));
    this.name(source.folder, source.name, undefined, added);
    return true;
  }

  unlink({ path }) {
    const { folder, name } = this.place(path);
    this.name(folder, name, undefined);
    return true;
  }

  rmdir(record) {
    return this.unlink(record);
  }

  name(folder, name, node, after) {
    const change = { at: this.moment, name, node, after };
    folder.change(change);
    return change;
  }

  place(path) {
    const parts = path.split('/');
    const name = parts.pop();
    let folder = this.root;
    for (const part of parts) folder = folder.seen.get(part);
    if (!(folder instanceof DiskFolder)) throw new Error(`a record names ${path}, whose folder nobody made`);
    return { folder, name };
  }
}

export const isFolder = (node) => node instanceof DiskFolder;
