/**
 * What `npm start` keeps in `.local/` of the clone: one running stack at a time, the addresses chosen, the secrets made. Called by start.ts,
 * reset.ts and token.ts. Never holds what a server stores: that is the server's own folder beside these files.
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

  /** Readers see the old content or the new, never a part. Only the owner may read it: most of it is secret. */
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

  /** Makes this process the owner. Answers the other one when there is one already; two that try at once cannot both succeed. */
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
    // Another start may have discarded it and become the owner in between: then it is put back.
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
