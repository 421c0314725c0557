/**
 * The folder for one attempt of a planner build, gone when it ends; and the removal of those whose process was killed, which
 * would fill the disk with a country's archives each time. Callers: the build, the planner worker at its start.
 *
 * A folder's name says whose it is: host, process, and a word that only this run of the process knows. One whose owner may live is never
 * removed: of other hosts (they may share the disk) nothing is known, so theirs stay for a day.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Who made a folder. */
export interface FolderOwner {
  readonly host: string;
  readonly pid: number;
  readonly run: string;
}

const PREFIX = 'samferd-planner-build-';
const NAME = /^samferd-planner-build-(?<host>.*)\.(?<pid>\d+)\.(?<run>[0-9a-f]+)-/;
/** No build takes so long: the process of such a folder has died, whoever has its number now. */
const LEFT_BEHIND_MS = 24 * 60 * 60_000;

const SELF: FolderOwner = {
  host: hostname().replace(/[^A-Za-z0-9.-]/g, '_'),
  pid: process.pid,
  run: randomUUID().slice(0, 8),
};

export function folderPrefix({ host, pid, run }: FolderOwner = SELF): string {
  return `${PREFIX}${host}.${pid}.${run}-`;
}

/** Throws what `use` throws; the folder is gone by then. */
export async function withBuildFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  await removeDeadBuildFolders();
  const folder = await mkdtemp(join(tmpdir(), folderPrefix()));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Answers the names of those removed. */
export async function removeDeadBuildFolders(self: FolderOwner = SELF): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(tmpdir(), name);
    if (!isOfDead(name, self) && !(await isOld(path))) continue;
    // Another process may remove it at the same time; what belongs to another user stays.
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
  // A process that has this one's number and another word came before it: in a container it is always the same number.
  return Number(pid) === self.pid || !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It may be another user's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtimeMs < Date.now() - LEFT_BEHIND_MS;
}
