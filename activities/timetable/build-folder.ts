/**
 * The temporary folder of one attempt of a planner build, removed when it ends. Folders of killed processes are removed
 * too: each holds a country's archives and would fill the disk. Callers: the build, the planner worker at its start.
 *
 * A folder's name identifies its owner: host, process, and a word that only this run of the process knows. A folder
 * whose owner may live is never removed. Nothing is known of processes on other hosts, which may share the disk, so
 * their folders stay for a day.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The process that made a folder. */
export interface FolderOwner {
  readonly host: string;
  readonly pid: number;
  readonly run: string;
}

const PREFIX = 'samferd-planner-build-';
const NAME = /^samferd-planner-build-(?<host>.*)\.(?<pid>\d+)\.(?<run>[0-9a-f]+)-/;
/** No build takes this long: the owner has died, even if another process has its number now. */
const LEFT_BEHIND_MS = 24 * 60 * 60_000;

const SELF: FolderOwner = {
  host: hostname().replace(/[^A-Za-z0-9.-]/g, '_'),
  pid: process.pid,
  run: randomUUID().slice(0, 8),
};

export function folderPrefix({ host, pid, run }: FolderOwner = SELF): string {
  return `${PREFIX}${host}.${pid}.${run}-`;
}

/** Throws what `use` throws, after the folder is removed. */
export async function withBuildFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  await removeDeadBuildFolders();
  const folder = await mkdtemp(join(tmpdir(), folderPrefix()));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Answers the names of the removed folders. */
export async function removeDeadBuildFolders(self: FolderOwner = SELF): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(tmpdir(), name);
    if (!isOfDead(name, self) && !(await isOld(path))) continue;
    // Another process may remove it at the same time; folders of another user stay.
    const isGone = await rm(path, { recursive: true, force: true }).then(
      () => true,
      () => false,
    );
    if (isGone) removed.push(name);
  }
  return removed;
}

function isOfDead(name: string, self: FolderOwner): boolean {
  const { host, pid, run } = NAME.exec(name)?.groups ?? {};
  if (host !== self.host || run === self.run) return false;
  // A process with this one's number and another word has ended: in a container the number is always the same.
  return Number(pid) === self.pid || !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process may belong to another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtimeMs < Date.now() - LEFT_BEHIND_MS;
}
