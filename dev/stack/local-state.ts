/**
 * The files of `npm start` in the clone's `.local/`: the running stack, the chosen addresses, the secrets. Each
 * server's own data is in its folder beside these files. Callers: start.ts, reset.ts and token.ts.
 */
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../setup/resolve.mjs';
import { findStartTime } from './process-table.ts';

export interface ProcessIdentity {
  readonly name: string;
  readonly pid: number;
  readonly startedAt: string | undefined;
}

const OWNER_ONLY = 0o600;

export class LocalState {
  readonly directory: string;

  constructor(directory = join(projectRoot, '.local')) {
    this.directory = directory;
  }

  path(...names: readonly string[]): string {
    return join(this.directory, ...names);
  }

  /** Makes a folder and returns its path. */
  folder(name: string): string {
    mkdirSync(this.path(name), { recursive: true, mode: 0o700 });
    return this.path(name);
  }

  read(name: string): unknown {
    try {
      return JSON.parse(readFileSync(this.path(name), 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new Error(`${this.path(name)} cannot be read: delete it, or everything with \`npm run reset\``, {
        cause: error,
      });
    }
  }

  /** Replaces the file atomically. Only its owner may read it, because most content is secret. */
  write(name: string, content: unknown): void {
    this.folder('.');
    const unfinished = this.path(`${name}.${randomUUID()}`);
    writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: OWNER_ONLY });
    renameSync(unfinished, this.path(name));
  }

  remove(name: string): void {
    rmSync(this.path(name), { recursive: true, force: true });
  }

  /** The process that runs the stack of this clone, if one does. */
  findOwner(): ProcessIdentity | undefined {
    const owner = this.read('owner.json') as ProcessIdentity | undefined;
    return owner !== undefined && isSameProcess(owner) ? owner : undefined;
  }

  /** Why a command finds no running service here. */
  describeAbsence(): string {
    return this.findOwner() === undefined
      ? 'Samferd does not run from this folder: run `npm start` in another terminal.'
      : 'Samferd is still starting: wait until `npm start` says that it is ready.';
  }

  /** Makes this process the owner, or returns the current owner. Of two simultaneous attempts only one succeeds. */
  take(): ProcessIdentity | undefined {
    this.folder('.');
    const mine = { name: 'npm start', pid: process.pid, startedAt: findStartTime(process.pid) };
    const prepared = this.path(`owner.${randomUUID()}`);
    writeFileSync(prepared, JSON.stringify(mine));
    try {
      for (;;) {
        if (tryLink(prepared, this.path('owner.json'))) return undefined;
        const owner = this.findOwner();
        if (owner !== undefined) return owner;
        this.#discardDeadOwner();
      }
    } finally {
      rmSync(prepared);
    }
  }

  release(): void {
    this.remove('owner.json');
  }

  #discardDeadOwner(): void {
    const aside = this.path(`owner.${randomUUID()}`);
    try {
      renameSync(this.path('owner.json'), aside);
    } catch {
      return;
    }
    // Another start may have taken ownership meanwhile; then put its file back.
    const moved = JSON.parse(readFileSync(aside, 'utf8')) as ProcessIdentity;
    if (isSameProcess(moved)) tryLink(aside, this.path('owner.json'));
    rmSync(aside);
  }
}

export function isSameProcess({ pid, startedAt }: ProcessIdentity): boolean {
  return startedAt !== undefined && findStartTime(pid) === startedAt;
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
